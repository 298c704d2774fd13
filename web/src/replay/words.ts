// What is said at every table about what has happened: the timeline, what others do.

import { french, type Lang } from '../words'

const EN = {
  led: 'What led to this',
  skip: 'Skip',
  seeAgain: 'Again',
  others: 'What the others do',
  atOnce: 'At once',
  timeline: 'Timeline',
  moment: '{n} of {all}',
  before: 'Before the battle',
  goTo: 'Go to this moment',
  earlier: 'Previous event',
  later: 'Next event',
  play: 'Play',
  pause: 'Pause',
  speed: 'Speed',
  keys: 'Space plays · ← → one answer · ↑ ↓ one event · Home, End',
  now: 'Now',
  nowNote: 'Back to now',
  running: 'The battle is not over: this is what has happened so far.',
  branch: 'What if?',
  chances: 'Chances to win',
  turned: '{side}: from {before} to {after}',
}

const FR: typeof EN = {
  led: 'Ce qui y a conduit',
  skip: 'Passer',
  seeAgain: 'Encore',
  others: 'Ce que font les autres',
  atOnce: 'Tout de suite',
  timeline: 'Chronologie',
  moment: '{n} sur {all}',
  before: 'Avant la bataille',
  goTo: 'Aller à ce moment',
  earlier: 'Événement précédent',
  later: 'Événement suivant',
  play: 'Lire',
  pause: 'Pause',
  speed: 'Vitesse',
  keys: 'Espace : lecture · ← → une réponse · ↑ ↓ un événement · Début, Fin',
  now: 'Présent',
  nowNote: 'Revenir au présent',
  running: "La bataille n'est pas finie : voici ce qui s'est passé jusqu'ici.",
  branch: 'Et si… ?',
  chances: 'Chances de victoire',
  turned: '{side} : de {before} à {after}',
}

export const TALK: Record<Lang, typeof EN> = { en: EN, fr: french(FR) }

// What the first page says besides the words every page shares.

import { french, type Lang } from './words'

const EN = {
  march: 'Point at the country and the nearest troop goes there.',
  another: 'Another one',
  mapLoading: 'Drawing the map…',
  mapOf: 'Map: {name}',
  terrain: 'What is what',
  seedNote: 'picks armies and map; the dice have a secret seed of their own',
  seedBad: 'A seed is a whole number, or nothing.',
  houseRules: 'House rules',
  agreements: 'Agreements',
  usual: 'usual',
  changed: { one: '{n} change', many: '{n} changes' },
  ownLists: 'Your lists',
  unnamedList: 'A list without a name',
  models: { one: '{n} model', many: '{n} models' },
  roundOf: 'round {n}',
  deploying: 'setting up',
  yourTurn: 'your turn',
  resume: 'Continue',
  watchOn: 'Watch',
  look: 'Review',
  lost: 'This server does not know it any more.',
  motion: 'Movement',
  motionOn: 'Moves glide and dice tumble. Turn that off.',
  motionOff: 'Nothing moves by itself. Turn that on.',
}

const FR: typeof EN = {
  march: "Montrez un endroit du pays : la troupe la plus proche s'y rend.",
  another: 'Une autre',
  mapLoading: 'La carte se dessine…',
  mapOf: 'Carte : {name}',
  terrain: 'Légende',
  seedNote: 'choisit armées et carte ; les dés ont leur propre graine, secrète',
  seedBad: 'Une graine est un nombre entier, ou rien.',
  houseRules: 'Règles maison',
  agreements: 'Conventions',
  usual: 'habituel',
  changed: { one: '{n} changement', many: '{n} changements' },
  ownLists: 'Vos listes',
  unnamedList: 'Une liste sans nom',
  models: { one: '{n} figurine', many: '{n} figurines' },
  roundOf: 'tour {n}',
  deploying: 'mise en place',
  yourTurn: 'à vous de jouer',
  resume: 'Continuer',
  watchOn: 'Regarder',
  look: 'Revoir',
  lost: 'Ce serveur ne la connaît plus.',
  motion: 'Mouvement',
  motionOn: 'Les figurines glissent et les dés roulent. Désactiver.',
  motionOff: 'Rien ne bouge tout seul. Activer.',
}

export const HOME: Record<Lang, typeof EN> = { en: EN, fr: french(FR) }

/** The form a number asks for. */
export function counted(forms: { one: string; many: string }, n: number, lang: Lang): string {
  const one = new Intl.PluralRules(lang).select(n) === 'one'
  return (one ? forms.one : forms.many).replace('{n}', new Intl.NumberFormat(lang).format(n))
}

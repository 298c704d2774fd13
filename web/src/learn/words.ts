// What the pages say to somebody who has never played.

import { french, type Lang } from '../words'

const EN = {
  first: 'First battle',
  firstNote: 'Everything is set up. Each new question is explained when it comes.',
  how: 'How it is played',
  explained: '{n} of {of} explained',
  hide: 'Hide hints',
  show: 'Hints',
  again: 'You have met this question before',
  deploy: 'Deploy for me',
  deployNote: 'The captain places all of your side. You can take it back.',
  inEvery: 'in every battle',
  deployAlways: 'Your side is deployed as soon as a battle begins. You can take it back.',
  whatIsIt: 'What it is',
  turn: 'How a turn goes',
  win: 'How one wins',
  long: 'How long it takes',
  minutes: 'From {from} to {to} minutes for a battle of the smaller size; the first battle is shorter.',
  newBattle: 'Set up a battle of your own',
  picture: 'A moment of the first battle',
  another: 'Other games',
  ofClub: 'First battles of this club',
  failed: 'That did not work; try again.',
}

const FR: typeof EN = {
  first: 'Première bataille',
  firstNote: 'Tout est en place. Chaque nouvelle question est expliquée quand elle vient.',
  how: 'Comment on y joue',
  explained: '{n} sur {of} expliqués',
  hide: 'Cacher les conseils',
  show: 'Conseils',
  again: 'Vous avez déjà rencontré cette question',
  deploy: 'Déployer pour moi',
  deployNote: 'Le capitaine place tout votre camp. Vous pouvez revenir en arrière.',
  inEvery: 'à chaque bataille',
  deployAlways: 'Votre camp est déployé dès que la bataille commence. Vous pouvez revenir en arrière.',
  whatIsIt: 'Ce que c\'est',
  turn: 'Comment va un tour',
  win: 'Comment on gagne',
  long: 'Combien de temps',
  minutes: 'De {from} à {to} minutes pour une bataille de petite taille ; la première bataille est plus courte.',
  newBattle: 'Préparer une bataille à soi',
  picture: 'Un moment de la première bataille',
  another: 'Les autres jeux',
  ofClub: 'Premières batailles de ce club',
  failed: 'Cela n\'a pas marché ; essayez encore.',
}

export const LEARN: Record<Lang, typeof EN> = { en: EN, fr: french(FR) }

// What the table itself says while one plays: aids, measuring, moving figures about.

import { french, type Lang } from '../words'

const EN = {
  threats: 'Enemy reach',
  cannot: 'Not now',
  idea: 'Idea {n} of {all}',
  oneIdea: 'The captain has no other idea.',
  turnLeft: 'Turn left',
  turnRight: 'Turn right',
  ranks: 'In ranks of {n}',
  hexOne: 'hex',
  hexMany: 'hexes',
  measureFirst: 'Drag from one point or figure to another; or with Tab and Enter choose two figures.',
  measureSecond: 'Now the figure to measure to: Tab and Enter.',
  between: 'between: {what}',
  broken: 'out of coherency',
  aids: 'Aids',
  placeOf: '{name}: {n} of {all}',
  orderKeys: 'Drag a card, or move the one in focus with ↑ ↓, Home and End.',
  faceDown: '{n} face down',
  drawn: 'Drawn:',
  lookAway: '(the other player looks away)',
  keysText:
    '1–9 choose · Enter confirms · S suggests, S again another · arrows move, [ ] turn, L ranks, W one by one · Escape puts back · U takes back · M measures · T enemy reach · + − 0 zoom, Alt and arrows pan · G grid · / rules',
}

const FR: typeof EN = {
  threats: 'Portée ennemie',
  cannot: 'Pas maintenant',
  idea: 'Idée {n} sur {all}',
  oneIdea: "Le capitaine n'a pas d'autre idée.",
  turnLeft: 'Tourner à gauche',
  turnRight: 'Tourner à droite',
  ranks: 'En rangs de {n}',
  hexOne: 'hexagone',
  hexMany: 'hexagones',
  measureFirst: "Faites glisser d'un point ou d'une figurine à l'autre ; ou choisissez deux figurines avec Tab et Entrée.",
  measureSecond: "Maintenant la figurine d'arrivée : Tab et Entrée.",
  between: 'entre les deux : {what}',
  broken: 'hors de cohésion',
  aids: 'Aides',
  placeOf: '{name} : {n} sur {all}',
  orderKeys: "Faites glisser une carte, ou déplacez celle qui est choisie avec ↑ ↓, Début et Fin.",
  faceDown: '{n} face cachée',
  drawn: 'Tirées :',
  lookAway: "(l'autre joueur se détourne)",
  keysText:
    "1–9 choisir · Entrée valider · S proposer, encore S autre chose · flèches déplacer, [ ] tourner, L rangs, W une à une · Échap rétablir · U annuler · M mesurer · T portée ennemie · + − 0 zoom, Alt et flèches défiler · G quadrillage · / règles",
}

export const PLAY: Record<Lang, typeof EN> = { en: EN, fr: french(FR) }

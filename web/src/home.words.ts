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
  clock: 'A clock, between people',
  houseRules: 'House rules',
  welcome:
    'These are battles of painted figures on a table, with dice and a tape measure. Here the table, the figures and the dice are ready, every rule is kept for you, and a captain tells what he would do when you press S.',
  beginWith: 'If you know none of the games, begin with',
  beginHow: ': everything below is chosen already, play against a bot.',
  beginHere: 'Begin here',
  minutes: '{from} to {to} min',
  players: { one: '{n} player', many: '{n} players' },
  fromTo: '{from} to {to} players',
  learning: ['Learnt as one plays', 'Little to learn', 'Some things to learn', 'Much to learn', 'Most to learn'],
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
  clock: 'Une pendule, entre personnes',
  houseRules: 'Règles maison',
  welcome:
    'Ce sont des batailles de figurines peintes sur une table, avec des dés et un mètre ruban. Ici la table, les figurines et les dés sont prêts, chaque règle est tenue pour vous, et un capitaine dit ce qu’il ferait quand vous appuyez sur S.',
  beginWith: 'Si vous ne connaissez aucun des jeux, commencez par',
  beginHow: ' : tout ce qui suit est déjà choisi, jouez contre un bot.',
  beginHere: 'Pour commencer',
  minutes: '{from} à {to} min',
  players: { one: '{n} joueur', many: '{n} joueurs' },
  fromTo: '{from} à {to} joueurs',
  learning: ["S'apprend en jouant", 'Peu à apprendre', 'Des choses à apprendre', 'Beaucoup à apprendre', 'Le plus à apprendre'],
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

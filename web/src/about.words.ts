// What the page about the program says.

import { french, type Lang } from './words'

const EN = {
  title: 'About Oriflamme',
  back: 'Home',
  what: [
    'Oriflamme plays fantasy miniature wargames with every rule enforced: in the browser and the terminal, against a friend or a bot.',
    'It tells the exact odds of an attack before you commit, and explains each line of the log and each refused move by the rule behind it.',
  ],
  games: 'Five rulebooks, one table',
  playable: 'to be played now',
  coming: 'to come',
  comingGames: ['Last Fantasy War', "Rag'Narok 3"],
  books: 'The rulebooks belong to their authors. This program states their rules in its own words and brings armies of its own.',
  seed: 'The dice can be checked',
  seedText:
    'Nobody can choose or foresee the dice. Before the first die falls, a battle publishes the hash of its seed; when it is over, it publishes the seed and a salt, and anybody can check that they belong to that hash. Where answers are taken back past dice, the dice to come are of a new seed, published in the same way: nobody plays a second time knowing what falls. The save file then shows that every die came from these seeds:',
  battle: 'Battle',
  battleHint: 'the id in its link, or the link',
  check: 'Check the seed',
  hash: 'Hash published first',
  salt: 'Salt',
  seedName: 'Seed',
  further: 'After {n} answers, when some were taken back:',
  good: 'Right: the SHA-256 of salt:seed is the hash that was published first.',
  bad: 'Wrong: the SHA-256 of salt:seed is not the hash that was published first.',
  notOver: 'This battle is not over. Its seed is published when it is.',
  noBattle: 'There is no such battle here. Paste the link of one, or its id.',
  noSubtle: 'This browser computes hashes on secure pages only. In a terminal:',
  credits: 'Credits',
  icons: 'The icons of the figures come from the set at game-icons.net, under CC BY 3.0, in white or black instead of their own colours:',
  by: 'by',
  fonts: 'Type',
  fontsText: 'EB Garamond, by the EB Garamond Project Authors, and Source Sans 3, by Adobe: both under the SIL Open Font License 1.1.',
  licence: 'Licence',
  licenceText: 'Code and data of Oriflamme are under the MIT licence.',
}

const FR: typeof EN = {
  title: "À propos d'Oriflamme",
  back: 'Accueil',
  what: [
    'Oriflamme joue à des jeux de figurines fantastiques en appliquant toutes leurs règles : dans le navigateur et le terminal, contre un ami ou un bot.',
    "Il donne les chances exactes d'une attaque avant que vous ne vous engagiez, et explique chaque ligne du journal et chaque refus par la règle qui les fonde.",
  ],
  games: 'Cinq livres de règles, une table',
  playable: 'jouable',
  coming: 'à venir',
  comingGames: ['Last Fantasy War', "Rag'Narok 3"],
  books: 'Les livres de règles appartiennent à leurs auteurs. Ce programme dit leurs règles avec ses propres mots et apporte ses propres armées.',
  seed: 'Les dés se vérifient',
  seedText:
    "Personne ne peut choisir ni prévoir les dés. Avant le premier jet, une bataille publie l'empreinte de sa graine ; une fois terminée, elle publie la graine et un sel, et chacun peut vérifier qu'ils donnent cette empreinte. Quand des réponses sont annulées après un jet, les dés suivants viennent d'une nouvelle graine, publiée de même : personne ne rejoue en sachant ce qui tombera. La sauvegarde montre alors que chaque dé vient de ces graines :",
  battle: 'Bataille',
  battleHint: "l'identifiant qui est dans son lien, ou le lien",
  check: 'Vérifier la graine',
  hash: "Empreinte publiée d'avance",
  salt: 'Sel',
  seedName: 'Graine',
  further: 'Après {n} réponses, quand des réponses ont été annulées :',
  good: "Juste : le SHA-256 de sel:graine est l'empreinte publiée d'avance.",
  bad: "Faux : le SHA-256 de sel:graine n'est pas l'empreinte publiée d'avance.",
  notOver: "Cette bataille n'est pas terminée. Sa graine sera publiée à la fin.",
  noBattle: "Cette bataille n'existe pas ici. Collez son lien ou son identifiant.",
  noSubtle: 'Ce navigateur ne calcule des empreintes que sur les pages sécurisées. Dans un terminal :',
  credits: 'Crédits',
  icons: 'Les icônes des figurines viennent de game-icons.net, sous licence CC BY 3.0, en blanc ou en noir au lieu de leurs couleurs :',
  by: 'par',
  fonts: 'Caractères',
  fontsText: "EB Garamond, des auteurs du projet EB Garamond, et Source Sans 3, d'Adobe : tous deux sous licence SIL Open Font License 1.1.",
  licence: 'Licence',
  licenceText: "Le code et les données d'Oriflamme sont sous licence MIT.",
}

export const ABOUT: Record<Lang, typeof EN> = { en: EN, fr: french(FR) }

// What a figure is, as a picture. Looks that any game may use have an icon of the game-icons set (CC BY 3.0); a game may
// bring icons of its own, for these looks or for others.
// `virtual:icons` holds the outlines of these icons and no others; it is made when the pages are built.

import outlines from 'virtual:icons'
import { PICKED } from './picked'
import { signs } from './signs.svelte'
import type { Lang, Named } from '../words'

const LOOKS: Record<string, Named> = {
  archer: { en: 'archer', fr: 'archer' },
  artillery: { en: 'artillery', fr: 'artillerie' },
  assassin: { en: 'assassin', fr: 'assassin' },
  beast: { en: 'beast', fr: 'bête' },
  berserker: { en: 'berserker', fr: 'berserker' },
  brute: { en: 'brute', fr: 'brute' },
  cavalry: { en: 'cavalry', fr: 'cavalerie' },
  chariot: { en: 'chariot', fr: 'char' },
  dragon: { en: 'dragon', fr: 'dragon' },
  flyer: { en: 'flyer', fr: 'volant' },
  golem: { en: 'golem', fr: 'golem' },
  guard: { en: 'guard', fr: 'garde' },
  hero: { en: 'hero', fr: 'héros' },
  insect: { en: 'insect', fr: 'insecte' },
  leader: { en: 'leader', fr: 'chef' },
  monster: { en: 'monster', fr: 'monstre' },
  ooze: { en: 'ooze', fr: 'gelée' },
  priest: { en: 'priest', fr: 'prêtre' },
  skirmisher: { en: 'skirmisher', fr: 'tirailleur' },
  spears: { en: 'spears', fr: 'piques' },
  swarm: { en: 'swarm', fr: 'nuée' },
  undead: { en: 'undead', fr: 'mort-vivant' },
  warrior: { en: 'warrior', fr: 'guerrier' },
  wizard: { en: 'wizard', fr: 'magicien' },
}

const drawn = (look: string): boolean => look in PICKED && PICKED[look][0] in outlines
export const hasIcon = (look: string): boolean => look in signs.picture.looks || drawn(look)

const SHARED = Object.keys(PICKED).filter(drawn)

/** All icons, to be put once into the page; figures, badges and tokens only refer to them. */
export function symbols(): string {
  const { looks, icons } = signs.picture
  const symbol = (id: string, box: string, shapes: string) => `<symbol id="${id}" viewBox="${box}">${shapes}</symbol>`
  return [
    ...SHARED.filter((look) => !(look in looks)).map((look) => symbol(`of-look-${look}`, '0 0 512 512', outlines[PICKED[look][0]])),
    ...Object.entries(looks).map(([look, { icon }]) => symbol(`of-look-${look}`, icons[icon].box, icons[icon].shapes)),
    ...Object.entries(icons).map(([name, { box, shapes }]) => symbol(`of-icon-${name}`, box, shapes)),
  ].join('')
}

const PIPS: Record<string, [number, number]> = { a: [-5, -5], b: [5, 5], c: [5, -5], d: [-5, 5], e: [-5, 0], f: [5, 0], o: [0, 0] }
const pip = (name: string) => `<circle cx="${PIPS[name][0]}" cy="${PIPS[name][1]}" r="2.1" fill="currentColor"/>`

/** The faces of a die, its pips in the colour of what is around it. */
export const DICE = ['o', 'ab', 'abo', 'abcd', 'abcdo', 'abcdef'].map((pips, n) => `<g id="of-die-${n + 1}">${[...pips].map(pip).join('')}</g>`).join('')

function use(id: string, size: number, colour: string): string {
  const at = (-size / 2).toFixed(1)
  return `<use href="#${id}" x="${at}" y="${at}" width="${size.toFixed(1)}" height="${size.toFixed(1)}" color="${colour}"/>`
}

/** The icon of a look, centred, `size` wide. */
export const icon = (look: string, size: number, colour = '#fff'): string => use(`of-look-${look}`, size, colour)

/** An icon of the game, by its name. */
export const gameIcon = (name: string, size: number, colour: string): string => use(`of-icon-${name}`, size, colour)

/** A look in words, or nothing where there are none. */
export function lookName(look: string | undefined, lang: Lang): string {
  return signs.word('look', look ?? '', lang, LOOKS[look ?? '']?.[lang] ?? '')
}

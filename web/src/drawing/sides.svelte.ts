// How the sides of the battle on the page are told apart: by colour, pattern, letter and name.

import { WORDS, named, type Lang, type Named } from '../words'

// The same as in `oriflamme/drawing/livery.py`.
export const LIVERIES = [
  { colour: '#2b68ba', dark: '#12325f', pattern: 'solid' },
  { colour: '#882233', dark: '#4a0d18', pattern: 'double' },
  { colour: '#995e0e', dark: '#553303', pattern: 'dashed' },
  { colour: '#442b78', dark: '#221140', pattern: 'notched' },
]
/** Of an army that nobody owns. */
export const NOBODYS = { colour: '#1f1c1b', dark: '#000000', pattern: 'banded' }

/** The battle on the page: so many of its sides are played, the others are nobody's. */
class Sides {
  players = $state(LIVERIES.length)
}
export const sides = new Sides()

const isOwned = (side: number) => side < Math.min(sides.players, LIVERIES.length)
export const livery = (side: number) => (isOwned(side) ? LIVERIES[side] : NOBODYS)
export const sideLetter = (side: number) => (isOwned(side) ? 'abcd'[side] : 'x')
/** A colour that can be read on the page, light or dark. */
export const sideColour = (side: number) => (isOwned(side) ? `var(--side${side})` : 'var(--nobodys)')

/** What the sides are called: as their armies are; two of one name are told apart by their letter. */
export function sideNames(armies: (Named | null)[], lang: Lang): string[] {
  const w = WORDS[lang]
  const names = armies.map((army) => named(army, lang))
  return names.map((name, side) => {
    const letter = sideLetter(side).toUpperCase()
    if (!name) return isOwned(side) ? `${w.side} ${letter}` : w.nobodys
    return names.indexOf(name) !== names.lastIndexOf(name) ? `${name} ${letter}` : name
  })
}

/** The score: of two sides as it is said, of more with their letters. */
export const scoreText = (score: unknown) =>
  !Array.isArray(score) ? '' : score.length > 2 ? score.map((n, side) => `${sideLetter(side).toUpperCase()} ${n}`).join(' · ') : score.join(' : ')

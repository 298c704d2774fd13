// How the sides of the battle on the page are told apart: by colour, pattern, letter and name.

import type { Scene, Span } from '../messages'
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

/** The battle on the page: so many of its sides are played, the others are nobody's; and what its armies are called, if anything. */
class Sides {
  players = $state(LIVERIES.length)
  armies = $state.raw<string[]>([])
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
  return armyNames(armies, lang).map((name, side) => name || (isOwned(side) ? `${w.side} ${sideLetter(side).toUpperCase()}` : w.nobodys))
}

/** What the armies are called; nothing where that is not known. */
export function armyNames(armies: (Named | null)[], lang: Lang): string[] {
  const names = armies.map((army) => named(army, lang))
  return names.map((name, side) => (name && names.indexOf(name) !== names.lastIndexOf(name) ? `${name} ${sideLetter(side).toUpperCase()}` : name))
}

/** What a part of a sentence says: a side by its army, where that has a name. */
export const said = (span: Span): string => (span.kind === 'side' && span.side !== undefined && sides.armies[span.side]) || span.text

/** Whether a side's edge is the far one, by where it deploys or what border is its own; null where nothing tells. */
export function sitsFar(scene: Scene, side: number): boolean | null {
  const outlines = [...scene.zones, ...(scene.borders ?? []).map((one) => ({ side: one.side, corners: one.line, circle: undefined }))].filter((one) => one.side === side)
  const ys = outlines.flatMap((one) => one.corners?.map(([, y]) => y) ?? (one.circle ? [one.circle[1]] : []))
  if (!ys.length) return null
  return ys.reduce((sum, y) => sum + y, 0) / ys.length > scene.table.depth * 0.6
}

/** The score: of two sides as it is said, of more with their letters. */
export const scoreText = (score: unknown) =>
  !Array.isArray(score) ? '' : score.length > 2 ? score.map((n, side) => `${sideLetter(side).toUpperCase()} ${n}`).join(' · ') : score.join(' : ')

// What things on the table are called in full, for those who point at them and those who have them read out.

import * as art from '../drawing/figures'
import { contains } from '../drawing/geometry'
import { lookName } from '../drawing/icons'
import { signs } from '../drawing/signs.svelte'
import type { Board, TableData } from '../drawing/terrain'
import type { Figure, Marker, Objective, Unit } from '../wire.svelte'
import { fill, length, named, WORDS, type Lang } from '../words'
import { PLAY } from './words'

/** The board beside the table that something stands on. */
export const boardOf = (table: TableData, at: { x: number; y: number }): Board | undefined => table.boards?.find((board) => contains(board, at.x, at.y))

export const isLeader = (unit: Unit, f: Figure) => unit.coherency?.leader === f.id

/** A figure: whose it is, what it is, and what has become of it. `n` counts in its unit from 0. */
export function figureTitle(unit: Unit, f: Figure, n: number, table: TableData, measure: string, lang: Lang): string {
  const [w, p] = [WORDS[lang], PLAY[lang]]
  const parts = [`${unit.tag} ${named(unit.name, lang)}`]
  if (unit.figures.length > 1) parts.push(fill(w.figureOf, { n: n + 1, all: unit.figures.length }))
  const is = lookName(f.look ?? unit.look, lang)
  if (is) parts.push(is)
  else if (f.hero) parts.push(w.hero)
  if (f.tough > 1) parts.push(fill(w.woundsTaken, { n: f.wounds, all: f.tough }))
  if (isLeader(unit, f)) parts.push(p.leader)
  parts.push(...unit.states.map((state) => signs.stateName(state, lang)), ...(unit.pools ?? []).map((pool) => art.poolName(pool, lang)))
  if (f.z > 0.5) parts.push(`${length(f.z, measure, lang)} ${w.high}`)
  else if (f.z < -0.5) parts.push(`${length(-f.z, measure, lang)} ${p.below}`)
  const board = boardOf(table, f)
  if (board) parts.push(`${p.inside} ${named(board.name, lang)}`)
  return parts.join(', ')
}

/** How high a figure stands, in a few signs. */
export const elevation = (z: number, measure: string, lang: Lang) => (Math.abs(z) > 0.5 ? `${z > 0 ? '▲' : '▼'}${length(Math.abs(z), measure, lang)}` : '')

export const sideTitle = (side: number, armies: string[], lang: Lang) => armies[side] || `${WORDS[lang].side} ${art.sideLetter(side).toUpperCase()}`

export function objectiveTitle(o: Objective, armies: string[], lang: Lang): string {
  const w = WORDS[lang]
  return `${w.objective} ${o.id}: ${o.owner === null ? w.neutral : `${w.held} ${sideTitle(o.owner, armies, lang)}`}`
}

export function markerTitle(marker: Marker, armies: string[], lang: Lang): string {
  return signs.word('token', marker.kind, lang) + (marker.owner === null ? '' : `: ${sideTitle(marker.owner, armies, lang)}`)
}

// The soft outline round a unit, and its plate: above it, or on another side where that covers no figure and no other plate.

import * as art from '../drawing/figures'
import { convex, reachOf, type Point } from '../drawing/geometry'
import { num, type Page } from '../drawing/terrain'
import type { Figure, Unit } from '../wire.svelte'
import { named, type Lang } from '../words'

export interface Hull {
  id: string
  unit: Unit
  side: number
  d: string
  wide: number
  /** Left, top, right and bottom of its figures as they are drawn; a hero's laurels stand out at the top. */
  box: [number, number, number, number]
  title: string
}

export function hullOf(unit: Unit, there: { x: number; y: number; figure: Figure }[], sheet: Page, lang: Lang): Hull | null {
  if (there.length < 2) return null
  const s = sheet.scale
  const wide = Math.max(...there.map((f) => reachOf(f.figure.base))) * 2 * s + 6
  const corners = convex(there.map((f): Point => [f.x, f.y]))
  const box: Hull['box'] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const f of there) {
    const [x, y, r] = [sheet.x(f.x), sheet.y(f.y), reachOf(f.figure.base) * s]
    box[0] = Math.min(box[0], x - r)
    box[1] = Math.min(box[1], y - r - (f.figure.hero ? 6 : 0))
    box[2] = Math.max(box[2], x + r)
    box[3] = Math.max(box[3], y + r)
  }
  return { id: unit.id, unit, side: unit.side, d: sheet.line(corners, corners.length > 2), wide, box, title: named(unit.name, lang) }
}

// -- plates

export const poolsWidth = (unit: Unit) => (unit.pools ?? []).reduce((sum, pool) => sum + art.poolWidth(pool), 0)
export const tagWidth = (unit: Unit, name: string) => 10 + 6.4 * unit.tag.length + (name ? 6 * name.length + 6 : 0)
export const plateWidth = (unit: Unit, name: string) => tagWidth(unit, name) + 14 * unit.states.length + poolsWidth(unit)

/** The pools of a unit side by side, from the left edge of the first on. */
export function pools(unit: Unit, lang: Lang): string {
  let x = 0
  return (unit.pools ?? []).map((pool) => `<g transform="translate(${num((x += art.poolWidth(pool)) - art.poolWidth(pool))} 0)">${art.pool(pool, lang)}</g>`).join('')
}

/** Where its plate may be: above, below, left or right. */
export function platesOf({ box, unit }: Hull, scale: number): Point[] {
  const [left, top, right, bottom] = box
  const [x, y, half] = [(left + right) / 2, (top + bottom) / 2, (plateWidth(unit, '') / 2) * scale]
  const off = 8 * scale + 4
  return [[x, top - off], [x, bottom + off], [left - half - 4, y], [right + half + 4, y]]
}

/** A place for every plate; `bases` are the middles and radii of figures, in units of the page. */
export function placePlates(hulls: Hull[], bases: [number, number, number][], sheet: Page, scale: number): Map<string, Point> {
  const found = new Map<string, { at: Point; half: number }>()
  const high = 7.5 * scale
  for (const hull of hulls) {
    const half = (plateWidth(hull.unit, '') / 2) * scale
    const places = platesOf(hull, scale)
    let [best, least] = [places[0], Infinity]
    for (const at of places) {
      const [x, y] = at
      let over = bases.filter(([bx, by, r]) => Math.abs(bx - x) < half + r * 0.7 && Math.abs(by - y) < high + r * 0.7).length
      for (const one of found.values()) if (Math.abs(one.at[0] - x) < one.half + half && Math.abs(one.at[1] - y) < 2 * high) over += 2
      if (x < half || x > sheet.width - half || y < high || y > sheet.height - high) over += 3
      if (over < least) [best, least] = [at, over]
    }
    found.set(hull.id, { at: best, half })
  }
  return new Map([...found].map(([id, one]) => [id, one.at]))
}

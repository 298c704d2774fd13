// Lines on the table that help the eye: the scale along its edges, crosses or a grid, hexes, the stars round a landmark.

import type { Point, Shape } from '../drawing/geometry'
import { num, samples, type Page, type TableData } from '../drawing/terrain'
import type { Scene } from '../wire.svelte'

interface Mark {
  at: number
  text: number
}

/** The scale: every six inches or ten centimetres. */
export function marksOf(table: TableData, measure: string): { x: Mark[]; y: Mark[] } {
  const [step, told] = measure === 'in' ? [25.4 * 6, 6] : [100, 10]
  const count = (long: number) => Array.from({ length: Math.floor((long + 1) / step) + 1 }, (_, n) => ({ at: n * step, text: n * told }))
  return { x: count(table.extent?.[0] ?? table.width), y: count(table.depth) }
}

/** Crosses every foot or thirty centimetres; or a grid of inches or two centimetres. */
export function crossesOf(sheet: Page, measure: string, grid: boolean): string {
  const { width, depth } = sheet.table
  const apart = grid ? (measure === 'in' ? 25.4 : 20) : measure === 'in' ? 304.8 : 300
  const along = (long: number) => Array.from({ length: Math.max(0, Math.ceil((long - 1) / apart) - 1) }, (_, n) => (n + 1) * apart)
  if (grid)
    return [...along(width).map((x) => `M${num(sheet.x(x))} 0V${num(sheet.height)}`), ...along(depth).map((y) => `M0 ${num(sheet.y(y))}H${num(sheet.width)}`)].join('')
  const cross = (x: number, y: number) => `M${num(sheet.x(x) - 4)} ${num(sheet.y(y))}h8M${num(sheet.x(x))} ${num(sheet.y(y) - 4)}v8`
  return along(width).flatMap((x) => along(depth).map((y) => cross(x, y))).join('')
}

/** Hexes stand on a side, column by column; those are on the board whose inner circle is on the table. */
export function hexesOf(sheet: Page, hexes: NonNullable<Scene['hexes']>): string {
  const { width, depth } = sheet.table
  const r = hexes.width / Math.sqrt(3)
  const half = hexes.width / 2 - 0.1
  let d = ''
  for (let col = 0; hexes.x0 + col * 1.5 * r + half <= width; col++)
    for (let row = -1; ; row++) {
      const x = hexes.x0 + col * 1.5 * r
      const y = hexes.y0 + (row + (col % 2) / 2) * hexes.width
      if (y + half > depth) break
      if (y < half) continue
      d += sheet.line(Array.from({ length: 6 }, (_, k): Point => [x + r * Math.cos((Math.PI * k) / 3), y + r * Math.sin((Math.PI * k) / 3)]), true)
    }
  return d
}

export function starsRound(sheet: Page, piece: Shape): string {
  return samples(piece, 34 / sheet.scale)
    .map(([x, y, nx, ny]) => `M${num(sheet.x(x + (7 * nx) / sheet.scale))} ${num(sheet.y(y + (7 * ny) / sheet.scale) - 7)}l2 5l5 2l-5 2l-2 5l-2-5l-5-2l5-2z`)
    .join('')
}

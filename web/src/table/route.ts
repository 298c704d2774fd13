// The way somebody is about to go: its legs, how it is drawn, how long it is, and what is left of the move.

import { distance, type Point } from '../drawing/geometry'
import type { TableData } from '../drawing/terrain'
import type { Cost } from '../wire.svelte'

/** A way as it is drawn: at a door that leads to another board one line ends, and the next begins there. */
export function linesOf(way: Point[], table: TableData): Point[][] {
  const lines: Point[][] = [[way[0]]]
  way.slice(1).forEach((at, i) => {
    const mark = (at as unknown[])[2]
    const door = table.openings?.find((one) => one.id === mark && !one.corners)
    const [near, beyond] = (door?.mouths ?? [])
      .map(([, ax, ay, bx, by]): Point => [(ax + bx) / 2, (ay + by) / 2])
      .sort((a, b) => distance(a, way[i]) - distance(b, way[i]))
    if (door) {
      lines.at(-1)!.push(near)
      lines.push([beyond])
    }
    lines.at(-1)!.push([at[0], at[1]])
  })
  return lines
}

/** How long a way is, leg by leg; `between` counts one leg, where legs are not counted by their length. */
export function lengthOf(way: Point[], between: (a: Point, b: Point) => number = distance): number {
  return way.reduce((sum, at, i) => sum + (i ? between(way[i - 1], at) : 0), 0)
}

/** What is left of a move, in words of one's own: nothing where nobody knows how far it may go. */
export function restOf(walked: number, reach: number): { left: number } | { over: number } | null {
  if (reach <= 0) return null
  const rest = reach - walked
  return rest >= -0.05 ? { left: Math.max(0, rest) } : { over: -rest }
}

/** What a way costs, part by part. Plain lengths one after the other are one part: a bent way has dozens of them. */
export function billOf(costs: Cost[], told: (length: number) => string): string[] {
  const parts: { plain: number; text: string }[] = []
  for (const { words, length } of costs) {
    const plain = words.length === 1 && words[0].kind === 'length'
    const last = parts.at(-1)
    if (plain && last?.plain) {
      last.plain += length
      last.text = told(last.plain)
    } else parts.push({ plain: plain ? length : 0, text: words.map((span) => span.text).join('') })
  }
  return parts.map((one) => one.text)
}

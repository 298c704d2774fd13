// What has moved glides along its way, what has fallen or bled flashes once: from one scene to the next.

import { INCH, type Point } from '../drawing/geometry'
import type { Page } from '../drawing/terrain'
import type { Line, Pose, Scene } from '../wire.svelte'
import { flash, glide, marchOf, waysOf, wheelAlong } from './glide'

/** What has happened between two scenes that can be shown: who went which way, and who was hurt or fell. */
export interface Happened {
  moved: [string, Point[]][]
  wheeled: [string, Pose[]][]
  hurt: string[]
}

/** `lines` are what was said in between; the lengths in them are of `unit` millimetres. */
export function happened(old: Scene, now: Scene, lines: Line[], unit: number): Happened {
  const ways = waysOf(lines, unit)
  const stood = new Map(old.units.flatMap((one) => (one.reserve === null ? one.figures.map((f) => [f.id, f] as const) : [])))
  const ranked = new Map(old.units.flatMap((one) => (one.block ? [[one.id, one.block] as const] : [])))
  const found: Happened = { moved: [], wheeled: [], hurt: [] }
  for (const one of now.units) {
    const before = one.block && ranked.get(one.id)
    if (one.block && before) {
      const [a, b]: Pose[] = [before, one.block]
      if (a.x !== b.x || a.y !== b.y || a.facing !== b.facing) found.wheeled.push([one.id, [a, ...marchOf(lines, one.id), b]])
    }
    for (const f of one.figures) {
      const was = stood.get(f.id)
      if (!was || one.reserve !== null) continue
      if (!one.block && (was.x !== f.x || was.y !== f.y)) found.moved.push([f.id, [[was.x, was.y], ...(ways.get(f.id) ?? []).slice(1), [f.x, f.y]]])
      if (f.wounds > was.wounds) found.hurt.push(f.id)
    }
  }
  found.hurt.push(...now.units.flatMap((one) => one.fallen.filter((f) => stood.has(f.id)).map((f) => f.id)))
  return found
}

export class Motion {
  private before: Scene | null = null
  private lines = 0
  /** What somebody has dragged to its place himself is there already. */
  private dropped = new Set<string>()

  drop(ids: string[]): void {
    this.dropped = new Set(ids)
  }

  /** There is a new scene, and more has been said. */
  show(now: Scene, log: Line[], measure: string, sheet: Page, svg: Element, moving: boolean): void {
    const old = this.before
    const said = log.length >= this.lines ? log.slice(this.lines) : []
    this.before = now
    this.lines = log.length
    if (old && old.table === now.table && moving) this.play(happened(old, now, said, measure === 'in' ? INCH : 10), sheet, svg)
    this.dropped = new Set()
  }

  private play({ moved, wheeled, hurt }: Happened, sheet: Page, svg: Element): void {
    const drawn = (...names: string[]) => svg.querySelector(names.join(', '))
    for (const [id, way] of moved) {
      const element = this.dropped.has(id) ? null : drawn(`[data-figure="${CSS.escape(id)}"]`)
      if (element) glide(element, way.map(([x, y]) => [sheet.x(x), sheet.y(y)]))
    }
    for (const [id, way] of wheeled) {
      const element = this.dropped.has(id) ? null : drawn(`[data-regiment="${CSS.escape(id)}"]`)
      if (element) wheelAlong(element, way.map(({ x, y, facing }) => [sheet.x(x), sheet.y(y), facing + (sheet.far ? Math.PI : 0)]))
    }
    for (const id of hurt) {
      const element = drawn(`[data-figure="${CSS.escape(id)}"]`, `[data-fallen="${CSS.escape(id)}"]`)
      if (element) flash(element)
    }
  }
}

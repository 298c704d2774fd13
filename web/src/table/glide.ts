// Motion: figures glide along the way they went, losses flash. Nothing waits for it.

import type { Point } from '../drawing/geometry'
import type { Line, Pose } from '../wire.svelte'

const SECONDS = 0.42

/** The ways figures went, as the events of an answer tell them: by figure, in millimetres. */
export function waysOf(lines: Line[], unit: number): Map<string, Point[]> {
  const found = new Map<string, Point[]>()
  for (const line of lines) {
    const paths = line.event.paths as Record<string, Point[]> | undefined
    if (!paths || typeof paths !== 'object') continue
    for (const [id, path] of Object.entries(paths)) {
      const way = path.map(([x, y]): Point => [x * unit, y * unit])
      found.set(id, [...(found.get(id) ?? []), ...way])
    }
  }
  return found
}

/** Let an element glide from where it was drawn along a way, all in units of the page. */
export function glide(element: Element, way: Point[]): void {
  let long = 0
  const at = way.map((p, i) => (long += i ? Math.hypot(p[0] - way[i - 1][0], p[1] - way[i - 1][1]) : 0))
  if (long < 0.5) return
  element.animate(
    way.map(([x, y], i) => ({ transform: `translate(${x}px, ${y}px)`, offset: at[i] / long })),
    { duration: 1000 * SECONDS, easing: 'ease-out' },
  )
}

/** The poses a block went through, as the events of an answer tell them. */
export function marchOf(lines: Line[], unit: string): Pose[] {
  return lines.flatMap((line) => {
    const path = line.event.path
    if (line.event.regiment !== unit || !Array.isArray(path)) return []
    return (path as number[][]).slice(1, -1).map(([x, y, facing]) => ({ x, y, facing }))
  })
}

/** Let a block go along a way, turning as it goes: in units of the page, and facings. */
export function wheelAlong(element: Element, way: [number, number, number][]): void {
  let long = 0
  const at = way.map((p, i) => (long += i ? Math.hypot(p[0] - way[i - 1][0], p[1] - way[i - 1][1]) + 60 * Math.abs(p[2] - way[i - 1][2]) : 0))
  if (long < 0.5) return
  // The short way round, whatever the facings are called.
  let facing = way[0][2]
  const turns = way.map((p) => (facing += p[2] - facing - 2 * Math.PI * Math.round((p[2] - facing) / (2 * Math.PI))))
  element.animate(
    way.map(([x, y], i) => ({ transform: `translate(${x}px, ${y}px) rotate(${(-turns[i] * 180) / Math.PI}deg)`, offset: at[i] / long })),
    { duration: 1000 * SECONDS, easing: 'ease-out' },
  )
}

export function flash(element: Element): void {
  element.animate([{ opacity: 0.1 }, { opacity: 1 }, { opacity: 0.1 }, { opacity: 1 }], { duration: 1000 * SECONDS })
}

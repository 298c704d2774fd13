// A figure that is dropped on another stands against it.

import type { Point } from '../drawing/geometry'
import type { Spot } from '../draft.svelte'
import type { Figure, Scene } from '../wire.svelte'

/** Numbers are sent with two decimals: so much apart two bases touch and do not overlap. */
const TOUCHING = 0.01

const radius = (figure: Figure): number | null => ('radius' in figure.base ? figure.base.radius : null)

/** Where a round figure stands that was dropped on one of a unit: base to base, on the side it was dropped at, or else the
 * side it came from. Null where it was dropped on none. */
export function standsAgainst(scene: Scene, over: string, figure: Figure, at: Spot): Spot | null {
  const mine = radius(figure)
  const others = scene.units.find((unit) => unit.id === over)?.figures ?? []
  if (mine === null || others.some((one) => one.id === figure.id)) return null
  const away = (one: Figure) => Math.hypot(at.x - one.x, at.y - one.y)
  const [nearest] = others.filter((one) => one.z === figure.z && away(one) < mine + (radius(one) ?? 0)).sort((a, b) => away(a) - away(b))
  if (!nearest) return null
  const far = mine + (radius(nearest) ?? 0) + TOUCHING
  const [dx, dy]: Point = away(nearest) > 1 ? [at.x - nearest.x, at.y - nearest.y] : [figure.x - nearest.x, figure.y - nearest.y]
  const length = Math.hypot(dx, dy) || 1
  return { ...at, x: nearest.x + (dx / length) * far, y: nearest.y + (dy / length) * far }
}

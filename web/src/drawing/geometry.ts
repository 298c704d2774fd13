// Shapes on the table, in millimetres, y away from the near edge. Only what drawing and measuring need.

export type Point = [number, number]
export type Base = { radius: number } | { width: number; depth: number }
export interface Shape {
  circle?: [number, number, number]
  corners?: Point[]
}
export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
  cx: number
  cy: number
  reach: number
}

export const INCH = 25.4

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1])
}

/** Half of the widest way across a base. */
export function reachOf(base: Base): number {
  return 'radius' in base ? base.radius : Math.hypot(base.width, base.depth) / 2
}

export function boxOf(shape: Shape): Box {
  if (shape.circle) {
    const [x, y, r] = shape.circle
    return { x0: x - r, y0: y - r, x1: x + r, y1: y + r, cx: x, cy: y, reach: r }
  }
  const xs = shape.corners!.map((p) => p[0])
  const ys = shape.corners!.map((p) => p[1])
  const x0 = Math.min(...xs)
  const y0 = Math.min(...ys)
  const x1 = Math.max(...xs)
  const y1 = Math.max(...ys)
  const cx = (x0 + x1) / 2
  const cy = (y0 + y1) / 2
  return { x0, y0, x1, y1, cx, cy, reach: Math.max(...shape.corners!.map((p) => distance(p, [cx, cy]))) }
}

export function contains(shape: Shape, x: number, y: number): boolean {
  if (shape.circle) return Math.hypot(x - shape.circle[0], y - shape.circle[1]) <= shape.circle[2]
  let inside = false
  const corners = shape.corners!
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [ax, ay] = corners[i]
    const [bx, by] = corners[j]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/** How far a point is from the edge of a shape, inside or outside. */
export function edgeDistance(shape: Shape, x: number, y: number): number {
  if (shape.circle) return Math.abs(Math.hypot(x - shape.circle[0], y - shape.circle[1]) - shape.circle[2])
  const corners = shape.corners!
  return Math.min(...corners.map((b, i) => toSegment([x, y], corners[(i || corners.length) - 1], b)))
}

export function toSegment(p: Point, a: Point, b: Point): number {
  const dx = b[0] - a[0]
  const dy = b[1] - a[1]
  const length = dx * dx + dy * dy
  const t = length ? Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) : 0
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)
}

/** The parts of the line from a to b that lie inside the shape, as shares of it. */
export function overlap(shape: Shape, a: Point, b: Point): [number, number][] {
  const dx = b[0] - a[0]
  const dy = b[1] - a[1]
  const cuts = [0, 1]
  if (shape.circle) {
    const [cx, cy, r] = shape.circle
    const fx = a[0] - cx
    const fy = a[1] - cy
    const qa = dx * dx + dy * dy
    const qb = 2 * (fx * dx + fy * dy)
    const d = qb * qb - 4 * qa * (fx * fx + fy * fy - r * r)
    if (d > 0 && qa) cuts.push((-qb - Math.sqrt(d)) / (2 * qa), (-qb + Math.sqrt(d)) / (2 * qa))
  } else {
    const corners = shape.corners!
    corners.forEach((q, i) => {
      const p = corners[(i || corners.length) - 1]
      const ex = q[0] - p[0]
      const ey = q[1] - p[1]
      const cross = dx * ey - dy * ex
      if (Math.abs(cross) < 1e-9) return
      const t = ((p[0] - a[0]) * ey - (p[1] - a[1]) * ex) / cross
      const u = ((p[0] - a[0]) * dy - (p[1] - a[1]) * dx) / cross
      if (u >= 0 && u <= 1) cuts.push(t)
    })
  }
  const sorted = cuts.filter((t) => t >= 0 && t <= 1).sort((m, n) => m - n)
  const found: [number, number][] = []
  for (let i = 1; i < sorted.length; i++) {
    const mid = (sorted[i - 1] + sorted[i]) / 2
    if (sorted[i] - sorted[i - 1] > 1e-9 && contains(shape, a[0] + dx * mid, a[1] + dy * mid)) found.push([sorted[i - 1], sorted[i]])
  }
  return found
}

/** The corners round a set of points. */
export function convex(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  if (sorted.length < 3) return sorted
  const half = (list: Point[]) => {
    const out: Point[] = []
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = [out[out.length - 2], out[out.length - 1]]
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break
        out.pop()
      }
      out.push(p)
    }
    out.pop()
    return out
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

interface Standing {
  x: number
  y: number
  facing: number
  base: Base
}

/** The corners of a rectangular base as it stands. */
function cornersOf(f: Standing): Point[] {
  const { width, depth } = f.base as { width: number; depth: number }
  // Facing is the direction of the front, measured from straight up the table, against the clock.
  const c = Math.cos(f.facing)
  const s = Math.sin(f.facing)
  return (
    [
      [-width / 2, -depth / 2],
      [width / 2, -depth / 2],
      [width / 2, depth / 2],
      [-width / 2, depth / 2],
    ] as Point[]
  ).map(([x, y]) => [f.x + x * c - y * s, f.y + x * s + y * c])
}

/** The way from the edge of one base to the edge of another, nearest to nearest; nothing if they touch. */
export function gap(a: Standing, b: Standing): number {
  const ra = 'radius' in a.base ? a.base.radius : null
  const rb = 'radius' in b.base ? b.base.radius : null
  if (ra !== null && rb !== null) return Math.max(0, distance([a.x, a.y], [b.x, b.y]) - ra - rb)
  if (ra !== null) return gap(b, a)
  const corners = cornersOf(a)
  if (rb !== null) return contains({ corners }, b.x, b.y) ? 0 : Math.max(0, edgeDistance({ corners }, b.x, b.y) - rb)
  const others = cornersOf(b)
  if (others.some((p) => contains({ corners }, ...p)) || corners.some((p) => contains({ corners: others }, ...p))) return 0
  return Math.min(
    ...others.map((p) => edgeDistance({ corners }, ...p)),
    ...corners.map((p) => edgeDistance({ corners: others }, ...p)),
  )
}

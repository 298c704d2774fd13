// A block moved by hand, leg by leg: straight ahead, sideways or back, wheels on a front corner; turned about its middle;
// or put somewhere. What it may do comes with the question; whether it is legal the server says while it is dragged.

import { Draft, type Spot } from '../draft.svelte'
import type { Point } from '../drawing/geometry'
import type { Decision, Guide, Pose, Scene, Seat } from '../wire.svelte'

export type Kind = 'ahead' | 'back' | 'leftward' | 'rightward' | 'left' | 'right' | 'turn' | 'place'
export interface Leg {
  kind: Kind
  /** How far, in millimetres, or in radians where it turns. */
  amount: number
  to: Pose
}
export type Handle = 'body' | 'left' | 'right' | 'knob'

const AGAINST: Partial<Record<Kind, Kind>> = { ahead: 'back', back: 'ahead', leftward: 'rightward', rightward: 'leftward', left: 'right', right: 'left' }
const NEAR = 25.4
// Where a leg would go only a little too far, it is held at what is left.
const MAGNET = 25.4 * 0.75

/** A point of a block, right of and ahead of its middle, on the table. */
export function onTable(pose: Pose, right: number, ahead: number): Point {
  const [c, s] = [Math.cos(pose.facing), Math.sin(pose.facing)]
  return [pose.x + c * right - s * ahead, pose.y + s * right + c * ahead]
}
function inBlock(pose: Pose, [x, y]: Point): Point {
  const [c, s] = [Math.cos(pose.facing), Math.sin(pose.facing)]
  return [c * (x - pose.x) + s * (y - pose.y), -s * (x - pose.x) + c * (y - pose.y)]
}
function turned(pose: Pose, [px, py]: Point, angle: number): Pose {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return { x: px + c * (pose.x - px) - s * (pose.y - py), y: py + s * (pose.x - px) + c * (pose.y - py), facing: around(pose.facing + angle) }
}
/** An angle between minus and plus half a turn. */
const around = (angle: number) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))

export class March extends Draft {
  override readonly legged = true
  readonly unit: string
  readonly width: number
  readonly depth: number
  readonly guide: Guide
  readonly how: NonNullable<Decision['how']>
  begin = $state.raw<Pose>({ x: 0, y: 0, facing: 0 })
  legs = $state.raw<Leg[]>([])
  /** The leg that is being dragged. */
  live = $state.raw<Leg | null>(null)
  private from: { begin: Pose; legs: Leg[]; at: Point } | null = null
  private first: Pose

  constructor(seat: Seat, decision: Decision, scene: Scene) {
    super(seat, decision, scene)
    this.unit = Object.keys(decision.blocks!)[0]
    const body = decision.bodies![this.unit]
    this.width = body.width
    this.depth = body.depth
    this.guide = decision.guide!
    this.how = decision.how!
    const [x, y, facing] = decision.blocks![this.unit]
    this.first = this.begin = { x, y, facing }
    this.open()
    this.place()
    if (this.guide.edge) this.look()
    for (const id of this.figures) this.home[id] = this.spots[id]
  }

  override get figures(): string[] {
    return this.decision.guide?.stands.map(([id]) => id) ?? []
  }

  /** Where it is now. */
  get pose(): Pose {
    return this.live?.to ?? this.legs.at(-1)?.to ?? this.begin
  }
  get all(): Leg[] {
    return this.live ? [...this.legs, this.live] : this.legs
  }
  get marches(): boolean {
    return this.how === 'march' || this.how === 'turn and march'
  }
  get turns(): boolean {
    return this.how !== 'march'
  }
  /** Whether the next thing a hand does is to say where it comes in. */
  private get sliding(): boolean {
    return this.guide.edge !== null && this.legs.every((leg) => leg.kind === 'ahead')
  }

  /** As it lies at first: one who comes in is shown in, as far as he is deep. */
  private open(): void {
    this.begin = this.first
    this.legs = this.guide.edge ? [this.leg(this.first, 'ahead', Math.min(this.guide.reach, this.depth))] : []
  }

  private place(): void {
    const pose = this.pose
    const spots: Record<string, Spot> = {}
    for (const [id, right, ahead] of this.guide?.stands ?? []) {
      const [x, y] = onTable(pose, right, ahead)
      spots[id] = { x, y, facing: pose.facing }
    }
    this.put(spots)
  }

  /** A leg of some kind from where it is. */
  private leg(pose: Pose, kind: Kind, amount: number): Leg {
    const straight: Partial<Record<Kind, Point>> = { ahead: [0, 1], back: [0, -1], rightward: [1, 0], leftward: [-1, 0] }
    const way = straight[kind]
    if (way) {
      const [x, y] = onTable(pose, way[0] * amount, way[1] * amount)
      return { kind, amount, to: { x, y, facing: pose.facing } }
    }
    if (kind === 'turn') return { kind, amount, to: { ...pose, facing: around(pose.facing + amount) } }
    const side = kind === 'left' ? -1 : 1
    return { kind, amount, to: turned(pose, onTable(pose, (side * this.width) / 2, this.depth / 2), -side * amount) }
  }

  lengthOf(leg: Leg): number {
    if (leg.kind === 'turn' || leg.kind === 'place') return 0
    if (leg.kind !== 'left' && leg.kind !== 'right') return leg.amount
    if (!this.guide.chord) return this.width * leg.amount
    return 2 * this.width * (Math.floor(leg.amount / Math.PI) + Math.sin((leg.amount % Math.PI) / 2))
  }
  get used(): number {
    return this.all.reduce((sum, leg) => sum + this.lengthOf(leg), 0)
  }
  get allowed(): number {
    return this.all.some((leg) => ['back', 'leftward', 'rightward'].includes(leg.kind)) ? this.guide.aside : this.guide.reach
  }

  override moved(): string[] {
    const gone = this.all.length || Math.hypot(this.begin.x - this.first.x, this.begin.y - this.first.y) > 0.05
    return gone ? this.figures : []
  }

  override answer(): Record<string, unknown> {
    const told = ({ x, y, facing }: Pose) => [x, y, facing]
    if (!this.marches) return { [this.unit]: [told(this.pose)] }
    if (!this.moved().length && !this.guide.edge) return {}
    const path = [told(this.begin)]
    let here = this.begin
    for (const leg of this.all) {
      // A wide turn in parts, so that its poses tell which way it went.
      const parts = leg.kind === 'left' || leg.kind === 'right' ? Math.ceil(leg.amount / 2 - 1e-9) : 1
      for (let n = 1; n < parts; n++) path.push(told(this.leg(here, leg.kind, (leg.amount * n) / parts).to))
      path.push(told(leg.to))
      here = leg.to
    }
    return { [this.unit]: path }
  }

  /** The way its front went, for drawing: points, and the poses at which a leg ended. */
  get trace(): { points: Point[]; stops: Pose[] } {
    const points: Point[] = [onTable(this.begin, 0, this.depth / 2)]
    let here = this.begin
    for (const leg of this.all) {
      const steps = leg.kind === 'left' || leg.kind === 'right' ? Math.max(2, Math.ceil(leg.amount / 0.12)) : 1
      for (let n = 1; n <= steps; n++) {
        const pose = n === steps ? leg.to : this.leg(here, leg.kind, (leg.amount * n) / steps).to
        points.push(onTable(pose, 0, this.depth / 2))
      }
      here = leg.to
    }
    return { points, stops: this.all.slice(0, -1).map((leg) => leg.to) }
  }

  // -- by hand

  /** What can be gripped besides the block itself: its front corners to wheel, a knob before it to turn. */
  get handles(): { kind: Handle; at: Point }[] {
    const found: { kind: Handle; at: Point }[] = []
    if (this.turns && this.legs.every((leg) => leg.kind === 'turn' || leg.kind === 'place'))
      found.push({ kind: 'knob', at: onTable(this.pose, 0, this.depth / 2 + 1.6 * NEAR) })
    if (this.marches && (this.guide.reach > 0 || this.live))
      for (const side of ['left', 'right'] as const) found.push({ kind: side, at: onTable(this.pose, ((side === 'left' ? -1 : 1) * this.width) / 2, this.depth / 2) })
    return found
  }

  /** Whether a point is on the block, or that near to it. */
  covers(at: Point, near = 0): boolean {
    const [right, ahead] = inBlock(this.pose, at)
    return Math.abs(right) <= this.width / 2 + near && Math.abs(ahead) <= this.depth / 2 + near
  }

  grip(at: Point): void {
    this.from = { begin: this.begin, legs: this.legs, at }
  }

  /** Something of it is dragged to a point. */
  pull(handle: Handle, to: Point): void {
    const from = this.from
    if (!from) return
    const last = from.legs.at(-1)?.to ?? from.begin
    if (this.how === 'place') this.lay(handle, last, from.at, to)
    else if (handle === 'knob' || this.how === 'turn') this.spin(from, to)
    else if (handle === 'body') this.stride(from, last, to)
    else this.wheel(last, handle, to)
    this.place()
    this.look()
  }

  private stride(from: { begin: Pose; legs: Leg[]; at: Point }, last: Pose, to: Point): void {
    const [ax, ay] = inBlock(last, from.at)
    const [bx, by] = inBlock(last, to)
    const [right, ahead] = [bx - ax, by - ay]
    if (this.sliding) {
      // Along the edge to where it comes in, and straight in as far as it is pulled.
      const [[x0, y0, facing], [x1, y1]] = this.guide.edge!
      const went = from.legs.reduce((sum, leg) => sum + leg.amount, 0)
      const shift = onTable({ x: 0, y: 0, facing }, right, 0)
      const [ex, ey] = [x1 - x0, y1 - y0]
      const long = ex * ex + ey * ey
      const share = long ? Math.min(1, Math.max(0, ((from.begin.x + shift[0] - x0) * ex + (from.begin.y + shift[1] - y0) * ey) / long)) : 0
      this.begin = { x: x0 + ex * share, y: y0 + ey * share, facing }
      this.legs = []
      const far = this.held(went + ahead, this.guide.reach)
      this.live = far > 0.5 ? this.leg(this.begin, 'ahead', far) : null
      return
    }
    const kind: Kind = Math.abs(ahead) >= Math.abs(right) ? (ahead >= 0 ? 'ahead' : 'back') : right >= 0 ? 'rightward' : 'leftward'
    const amount = Math.max(Math.abs(ahead), Math.abs(right))
    // Pulled back along the way it has come, the last leg is only shortened.
    const before = from.legs.at(-1)
    if (before && AGAINST[before.kind] === kind) {
      this.legs = from.legs.slice(0, -1)
      const start = this.legs.at(-1)?.to ?? from.begin
      this.live = amount < before.amount ? this.leg(start, before.kind, before.amount - amount) : this.leg(start, kind, amount - before.amount)
      return
    }
    this.legs = from.legs
    this.live = null
    const aside = kind !== 'ahead'
    const rest = (aside ? this.guide.aside : this.guide.reach) - this.used
    const far = this.held(amount, rest)
    if (far > 0.5) this.live = this.leg(last, kind, far)
  }

  private wheel(last: Pose, handle: Handle, to: Point): void {
    // Whoever drags the left corner wheels to the right, about the other one.
    const kind: Kind = handle === 'left' ? 'right' : 'left'
    const side = kind === 'left' ? -1 : 1
    const pivot = onTable(last, (side * this.width) / 2, this.depth / 2)
    const [x, y] = inBlock({ ...last, x: pivot[0], y: pivot[1] }, to)
    const angle = Math.atan2(y, -side * x)
    this.legs = this.from!.legs
    this.live = null
    const rest = this.guide.reach - this.used
    const far = this.width * Math.max(0, angle)
    const most = this.guide.chord ? 2 * this.width * Math.asin(Math.min(1, rest / (2 * this.width))) : rest
    const amount = this.held(far, most) / this.width
    if (amount > 0.004) this.live = this.leg(last, kind, amount)
  }

  private spin(from: { begin: Pose; legs: Leg[]; at: Point }, to: Point): void {
    const pose = from.begin
    const bearing = ([x, y]: Point) => Math.atan2(y - pose.y, x - pose.x)
    let angle = around((from.legs[0]?.kind === 'turn' ? from.legs[0].amount : 0) + bearing(to) - bearing(from.at))
    // Quarter turns are caught.
    const quarter = Math.round(angle / (Math.PI / 2)) * (Math.PI / 2)
    if (Math.abs(angle - quarter) < 0.05) angle = quarter
    this.legs = []
    this.live = Math.abs(angle) > 1e-4 ? this.leg(pose, 'turn', angle) : null
  }

  private lay(handle: Handle, last: Pose, at: Point, to: Point): void {
    let pose: Pose
    if (handle === 'body') pose = { ...last, x: last.x + to[0] - at[0], y: last.y + to[1] - at[1] }
    else {
      const bearing = ([x, y]: Point) => Math.atan2(y - last.y, x - last.x)
      pose = { ...last, facing: around(last.facing + bearing(to) - bearing(at)) }
    }
    this.legs = []
    this.live = { kind: 'place', amount: 0, to: this.caught(pose) }
  }

  /** The nearest of the places that are known to be legal, if one is near. */
  private caught(pose: Pose): Pose {
    let [best, found] = [NEAR * 1.5, pose]
    for (const [x, y, facing] of this.guide.poses) {
      const off = Math.hypot(x - pose.x, y - pose.y) + Math.abs(around(facing - pose.facing)) * 60
      if (off < best) [best, found] = [off, { x, y, facing }]
    }
    return found
  }

  private held(far: number, rest: number): number {
    return far > rest && far < rest + MAGNET && rest > 0 ? rest : Math.max(0, far)
  }

  /** It is let go: the leg is made. */
  letGo(): void {
    if (this.live) {
      const last = this.legs.at(-1)
      const start = this.legs.at(-2)?.to ?? this.begin
      if (last && last.kind === this.live.kind && last.kind !== 'place') {
        this.legs = [...this.legs.slice(0, -1), { ...this.leg(start, last.kind, last.amount + this.live.amount), to: this.live.to }]
      } else this.legs = [...this.legs, this.live]
    }
    this.live = null
    this.from = null
    this.place()
    this.look()
  }

  cancel(): void {
    if (this.from) {
      this.begin = this.from.begin
      this.legs = this.from.legs
    }
    this.live = null
    this.from = null
    this.place()
    this.look()
  }

  /** A leg by key or button; one against the last shortens that. */
  step(kind: Kind, amount: number): void {
    const last = this.legs.at(-1)
    const start = this.legs.at(-2)?.to ?? this.begin
    const before = this.legs.slice(0, -1)
    if (last && AGAINST[last.kind] === kind) {
      const rest = last.amount - amount
      this.legs = rest > 0.001 ? [...before, this.leg(start, last.kind, rest)] : before
    } else if (last && last.kind === kind) this.legs = [...before, this.leg(start, kind, kind === 'turn' ? around(last.amount + amount) : last.amount + amount)]
    else this.legs = [...this.legs, this.leg(this.pose, kind, amount)]
    this.place()
    this.look()
  }

  back(): void {
    this.legs = this.legs.slice(0, -1)
    this.place()
    this.look()
  }

  /** The next of the places that are known to be legal. */
  next(): void {
    if (!this.guide.poses.length) return
    const now = this.pose
    const at = this.guide.poses.findIndex(([x, y, facing]) => Math.hypot(x - now.x, y - now.y) < 0.1 && Math.abs(around(facing - now.facing)) < 1e-6)
    const [x, y, facing] = this.guide.poses[(at + 1) % this.guide.poses.length]
    this.legs = [{ kind: 'place', amount: 0, to: { x, y, facing } }]
    this.place()
    this.look()
  }

  /** Arrow keys: ahead, back and aside as it looks; along the edge before it has come in; anywhere if it is placed. */
  override shift(_: string[], __: Record<string, Spot>, dx: number, dy: number): void {
    if (this.how === 'turn') return this.turn((dx > 0 || dy < 0 ? -1 : 1) * (Math.PI / 36))
    if (this.how === 'place') {
      const pose = this.pose
      this.legs = [{ kind: 'place', amount: 0, to: { ...pose, x: pose.x + dx, y: pose.y + dy } }]
      this.place()
      return this.look()
    }
    if (dx && this.sliding) {
      this.grip([0, 0])
      const went = this.legs
      this.stride({ begin: this.begin, legs: went, at: [0, 0] }, { ...this.begin, x: 0, y: 0 }, onTable({ ...this.begin, x: 0, y: 0 }, dx, 0))
      return this.letGo()
    }
    if (dy) this.step(dy > 0 ? 'ahead' : 'back', Math.abs(dy))
    else this.step(dx > 0 ? 'rightward' : 'leftward', Math.abs(dx))
  }

  /** Turn keys: a wheel; about its middle where it does not march, or has yet to turn before it does. */
  override turn(angle: number): void {
    if (this.how === 'place') {
      this.legs = [{ kind: 'place', amount: 0, to: { ...this.pose, facing: around(this.pose.facing + angle) } }]
      this.place()
      return this.look()
    }
    if (this.how === 'turn' || (this.how === 'turn and march' && this.legs.every((leg) => leg.kind === 'turn'))) return this.step('turn', angle)
    this.step(angle > 0 ? 'left' : 'right', Math.abs(angle) / 2)
  }

  override lineUp(): void {}

  override reset(): void {
    this.open()
    this.live = this.from = null
    this.verdict = null
    this.idea = -1
    this.place()
  }

  protected override take(answer: unknown): void {
    const path = (answer as Record<string, [number, number, number][]>)[this.unit] ?? []
    const poses = path.map(([x, y, facing]) => ({ x, y, facing }))
    const same = (a: Pose, b: Pose) => Math.hypot(a.x - b.x, a.y - b.y) < 0.05 && Math.abs(around(a.facing - b.facing)) < 1e-7
    this.begin = this.first
    this.legs = []
    if (this.guide.edge && poses.length) this.begin = poses.shift()!
    for (const to of poses) {
      const here = this.pose
      if (same(here, to)) continue
      const angle = around(to.facing - here.facing)
      const [right, ahead] = inBlock(here, [to.x, to.y])
      let kind: Kind
      let amount: number
      if (this.how === 'place') [kind, amount] = ['place', 0]
      else if (Math.abs(angle) > 1e-7) {
        if (Math.hypot(right, ahead) < 0.05) [kind, amount] = ['turn', angle]
        else [kind, amount] = [angle > 0 ? 'left' : 'right', Math.abs(angle)]
      } else if (Math.abs(right) < Math.abs(ahead)) [kind, amount] = [ahead > 0 ? 'ahead' : 'back', Math.abs(ahead)]
      else [kind, amount] = [right > 0 ? 'rightward' : 'leftward', Math.abs(right)]
      this.legs = [...this.legs, { kind, amount, to }]
    }
    this.place()
  }

  /** What is placed may be put right by the rules, against a wall it is near. */
  protected override accepted(answer: Record<string, Point[]>): void {
    if (this.how !== 'place' || this.dragging) return
    const [x, y, facing] = answer[this.unit].at(-1) as unknown as [number, number, number]
    this.legs = [{ kind: 'place', amount: 0, to: { x, y, facing } }]
    this.place()
  }
}

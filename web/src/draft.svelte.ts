// An answer in the making where figures are put somewhere: dragged, tried against the rules, and given or put back.

import type { Point } from './drawing/geometry'
import type { Mouth, TableData } from './drawing/terrain'
import type { March } from './table/march.svelte'
import type { Cost, Decision, Figure, Reason, Refusal, Scene, Seat } from './wire.svelte'

export interface Spot {
  x: number
  y: number
  facing: number | null
}

/** A draft that is a block moved leg by leg. Its code is fetched when the first one is asked for. */
export const asMarch = (draft: Draft | null): March | null => (draft?.legged ? (draft as March) : null)

export class Draft {
  readonly legged: boolean = false
  readonly placing: boolean
  private readonly deep: number
  private readonly table: TableData
  /** Which of the openings it was last sent through. */
  private gate = -1
  /** Where each figure is now in the draft; one that is to be placed and has no place yet is not in it. */
  spots = $state.raw<Record<string, Spot>>({})
  paths = $state.raw<Record<string, Point[]>>({})
  verdict = $state.raw<{ ok: boolean; refusal?: Refusal } | null>(null)
  /** What the way costs, part by part, where it falls due. */
  costs = $state.raw<Cost[]>([])
  dragging = $state(false)
  whole = $state(true)
  busy = $state(false)
  /** Which figures have a spot; it changes less often than the spots. */
  there = $state.raw<Set<string>>(new Set())
  /** The idea of the captain that is shown, counted from 0, and how many there are. */
  idea = $state(-1)
  ideas = $state(1)
  /** What speaks for it and against it, in points. */
  because = $state<Reason[]>([])
  /** Drops are jumped, not climbed, where a way may say so. */
  jump = $state(false)
  /** Points that the way of a figure has to pass, in order. */
  via = $state.raw<Record<string, Point[]>>({})
  /** It was let go where it is. */
  dropped = $state(false)
  /** More was decided since it was dropped there: it is meant so. */
  sure = false
  /** How many stand side by side, once they were lined up. */
  files = $state(0)
  readonly home: Record<string, Spot> = {}
  protected known = new Map<string, Figure>()
  protected asking = false
  protected stale = false
  protected gone = false
  /** Nothing it is about has been measured: it is given without a trial. */
  readonly blind: boolean

  constructor(
    readonly seat: Seat,
    readonly decision: Decision,
    scene: Scene,
  ) {
    this.placing = decision.kind === 'place figures'
    this.blind = seat.blind(decision)
    this.deep = scene.table.depth
    this.table = scene.table
    for (const unit of scene.units) for (const f of unit.figures) if (this.figures.includes(f.id)) this.known.set(f.id, f)
    if (!this.placing) {
      for (const [id, f] of this.known) this.home[id] = { x: f.x, y: f.y, facing: null }
      this.put({ ...this.home })
    }
  }

  protected put(spots: Record<string, Spot>): void {
    this.spots = spots
    const ids = Object.keys(spots)
    if (ids.length !== this.there.size || ids.some((id) => !this.there.has(id))) this.there = new Set(ids)
  }

  /** How far each may go where that is known without the rules having been asked; 0 if it is not. */
  get far(): number {
    return 0
  }

  get figures(): string[] {
    return this.decision.figures ?? []
  }

  has(id: string): boolean {
    return this.figures.includes(id)
  }

  figure(id: string): Figure | undefined {
    return this.known.get(id)
  }

  /** Those that go together when this one is dragged. */
  block(id: string): string[] {
    return this.whole ? this.figures.filter((f) => f in this.spots) : [id]
  }

  moved(): string[] {
    return this.figures.filter((id) => {
      const [now, then] = [this.spots[id], this.home[id]]
      return now && (!then || Math.hypot(now.x - then.x, now.y - then.y) > 0.05 || now.facing !== then.facing)
    })
  }

  /** What would be answered. */
  answer(): Record<string, unknown> {
    const round = (n: number) => Math.round(n * 100) / 100
    return Object.fromEntries(
      (this.placing ? this.figures.filter((id) => id in this.spots) : this.moved()).map((id) => {
        const { x, y, facing } = this.spots[id]
        const path = this.paths[id]
        if (this.placing) return [id, facing === null ? [round(x), round(y)] : [round(x), round(y), 0, facing]]
        const fixed = this.via[id] ?? []
        if (!fixed.length && !this.jump) return [id, path ?? [[round(x), round(y)]]]
        const end = this.jump && this.mayJump ? [round(x), round(y), 'jump'] : [round(x), round(y)]
        return [id, [...fixed, end]]
      }),
    )
  }

  get mayJump(): boolean {
    return this.decision.marks?.includes('jump') ?? false
  }

  /** Places right behind each opening it may go through, the nearest first. */
  private behind(): Point[] {
    const id = this.figures[0]
    const [{ x, y }, far] = [this.home[id], this.reach(id) + 0.2]
    const middle = (corners: readonly (readonly number[])[]): Point => [0, 1].map((i) => corners.reduce((sum, at) => sum + at[i], 0) / corners.length) as Point
    const of = ([, ax, ay, bx, by]: Mouth) => middle([[ax, ay], [bx, by]])
    const away = (at: Point) => Math.hypot(at[0] - x, at[1] - y)
    const boards = this.table.boards ?? []
    const found = (this.table.openings ?? []).filter((one) => this.decision.marks?.includes(one.id)).map((one) => {
      const [near, beyond] = away(of(one.mouths[0])) < away(of(one.mouths[1])) ? one.mouths : [...one.mouths].reverse()
      const [at, [, ax, ay, bx, by]] = [of(beyond), beyond]
      // Into a room it goes towards its middle, out of one away from the building, through a wall straight on.
      const room = boards.find((board) => board.id === beyond[0])
      const building = this.table.pieces.find((piece) => piece.id === boards.find((board) => board.id === near[0])?.of)
      const [from, to] = one.corners ? [of(near), at] : room ? [at, middle(room.corners)] : [middle(building?.corners ?? [of(near)]), at]
      const wide = Math.hypot(bx - ax, by - ay) || 1
      const across: Point = [(by - ay) / wide, (ax - bx) / wide]
      const on = across[0] * (to[0] - from[0]) + across[1] * (to[1] - from[1]) < 0 ? -far : far
      return { off: away(of(near)), spot: [at[0] + across[0] * on, at[1] + across[1] * on] as Point }
    })
    return found.sort((a, b) => a.off - b.off).map((one) => one.spot)
  }

  /** Where a way may say which opening it goes through. */
  get mayEnter(): boolean {
    return !this.placing && this.figures.length === 1 && (this.table.openings ?? []).some((one) => this.decision.marks?.includes(one.id))
  }

  /** To the other side of the nearest opening; again, of the next one. */
  enter(): void {
    const spots = this.behind()
    this.gate = (this.gate + 1) % spots.length
    const [x, y] = spots[this.gate]
    this.set({ [this.figures[0]]: { x, y, facing: null } })
  }

  leap(): void {
    this.jump = !this.jump
    this.paths = {}
    this.look()
  }

  /** The way so far is fixed as it would be gone: whoever is dragged goes on from here. */
  corner(): void {
    const via = { ...this.via }
    for (const id of this.moved()) {
      const { x, y } = this.spots[id]
      const way = this.paths[id]?.slice(1) ?? [[Math.round(x * 100) / 100, Math.round(y * 100) / 100] as Point]
      via[id] = way.length ? way : (via[id] ?? [])
    }
    this.via = via
  }

  set(spots: Record<string, Spot>): void {
    this.put({ ...this.spots, ...spots })
    if (Object.keys(this.paths).length) this.paths = {}
    this.look()
  }

  shift(ids: string[], from: Record<string, Spot>, dx: number, dy: number): void {
    this.set(Object.fromEntries(ids.map((id) => [id, { ...from[id], x: from[id].x + dx, y: from[id].y + dy }])))
  }

  turn(angle: number): void {
    const ids = this.figures.filter((id) => id in this.spots)
    const mx = ids.reduce((sum, id) => sum + this.spots[id].x, 0) / ids.length
    const my = ids.reduce((sum, id) => sum + this.spots[id].y, 0) / ids.length
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    this.set(
      Object.fromEntries(
        ids.map((id) => {
          const { x, y, facing } = this.spots[id]
          const box = this.known.get(id) && !('radius' in this.known.get(id)!.base)
          const now = box ? (facing ?? this.known.get(id)!.facing) + angle : facing
          return [id, { x: mx + (x - mx) * c - (y - my) * s, y: my + (x - mx) * s + (y - my) * c, facing: now }]
        }),
      ),
    )
  }

  /** Ranks shoulder to shoulder round where they are, facing the way they go; again, of another width. */
  lineUp(): void {
    const ids = this.figures.filter((id) => id in this.spots)
    if (ids.length < 2) return
    const widths = [...new Set([5, 10, Math.ceil(ids.length / 2), ids.length, 3].map((n) => Math.min(n, ids.length)))]
    const files = (this.files = widths[(widths.indexOf(this.files) + 1) % widths.length])
    const middle = (of: Record<string, Spot>): Point => [
      ids.reduce((sum, id) => sum + (of[id] ?? this.spots[id]).x, 0) / ids.length,
      ids.reduce((sum, id) => sum + (of[id] ?? this.spots[id]).y, 0) / ids.length,
    ]
    const [mx, my] = middle(this.spots)
    const [hx, hy] = middle(this.home)
    const went = Math.hypot(mx - hx, my - hy)
    const [fx, fy]: Point = went > 5 ? [(mx - hx) / went, (my - hy) / went] : [0, my > this.deep / 2 ? -1 : 1]
    const along = (id: string) => this.spots[id].x * fx + this.spots[id].y * fy
    const aside = (id: string) => this.spots[id].x * fy - this.spots[id].y * fx
    const wide = Math.max(...ids.map((id) => this.reach(id) * 2)) + 2
    const ranks = Math.ceil(ids.length / files)
    const forward = [...ids].sort((a, b) => along(b) - along(a))
    const spots: Record<string, Spot> = {}
    for (let rank = 0; rank < ranks; rank++) {
      const row = forward.slice(rank * files, (rank + 1) * files).sort((a, b) => aside(a) - aside(b))
      row.forEach((id, n) => {
        const [out, back] = [(n - (row.length - 1) / 2) * wide, ((ranks - 1) / 2 - rank) * wide]
        spots[id] = { ...this.spots[id], x: mx + fy * out + fx * back, y: my - fx * out + fy * back }
      })
    }
    // The last rank may be short: the middle of all stays where it was.
    const [nx, ny] = middle(spots)
    for (const id of ids) spots[id] = { ...spots[id], x: spots[id].x + mx - nx, y: spots[id].y + my - ny }
    this.set(spots)
  }

  reach(id: string): number {
    const base = this.known.get(id)?.base
    return !base ? 12 : 'radius' in base ? base.radius : Math.max(base.width, base.depth) / 2
  }

  /** Ask whether it is legal; while the answer is on its way, what changes is asked next. */
  look(): void {
    if (this.asking) {
      this.stale = true
      return
    }
    if (this.blind || !this.moved().length) {
      this.verdict = null
      return
    }
    this.asking = true
    void this.seat.try(this.answer()).then((told) => {
      this.asking = false
      if (this.gone) return
      if (this.stale) {
        this.stale = false
        this.look()
        if (this.dragging && told.type !== 'tried') return
      }
      if (told.type === 'tried') {
        this.verdict = { ok: told.ok, refusal: told.refusal }
        // A bill is shown with its own way: one for a place that was left since is not.
        if (this.stale || this.asking) return
        this.costs = told.costs ?? []
        if (told.ok) this.accepted(told.answer)
      } else if (told.type === 'refused') this.verdict = { ok: false, refusal: told.refusal }
    })
  }

  /** What it would be taken for. */
  protected accepted(answer: Record<string, Point[]>): void {
    if (!this.placing) this.paths = answer
  }

  /** The verdict on the draft as it is now. */
  async settled(): Promise<boolean> {
    for (let n = 0; n < 100 && (this.asking || this.stale); n++) await new Promise((done) => setTimeout(done, 30))
    return this.verdict?.ok ?? false
  }

  reset(): void {
    this.dropped = false
    this.via = {}
    this.jump = false
    this.gate = -1
    this.put({ ...this.home })
    this.paths = {}
    this.costs = []
    this.verdict = null
    this.idea = -1
    this.files = 0
    if (this.placing) void this.suggest()
  }

  /** What a captain would do; asked again, what else he has thought of. */
  async suggest(): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    const other = (this.idea + 1) % 100
    const told = await this.seat.patiently('suggest', { side: this.seat.side, other }, () => this.gone)
    this.busy = false
    if (this.gone || told.type !== 'suggestion' || !told.answer) return false
    this.ideas = told.ideas ?? 1
    this.because = told.because ?? []
    this.idea = other % this.ideas
    this.take(told.answer)
    this.look()
    return true
  }

  /** An answer somebody else thought of. */
  protected take(answer: unknown): void {
    const spots: Record<string, Spot> = { ...this.home }
    const paths: Record<string, Point[]> = {}
    for (const [id, where] of Object.entries(answer as Record<string, unknown[]>)) {
      if (this.placing) {
        const [x, y, , facing] = where as number[]
        spots[id] = { x, y, facing: facing ?? null }
      } else {
        const path = (typeof where[0] === 'number' ? [where] : where) as Point[]
        const end = path.at(-1)
        if (!end) continue
        spots[id] = { x: end[0], y: end[1], facing: null }
        paths[id] = path
      }
    }
    this.put(spots)
    this.paths = paths
  }

  end(): void {
    this.gone = true
  }
}

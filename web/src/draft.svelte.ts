// An answer in the making where figures are put somewhere: dragged, tried against the rules, and given or put back.

import type { Point } from './drawing/geometry'
import type { Decision, Figure, Refusal, Scene, Seat } from './wire.svelte'

export interface Spot {
  x: number
  y: number
  facing: number | null
}

export class Draft {
  readonly placing: boolean
  /** Where each figure is now in the draft; one that is to be placed and has no place yet is not in it. */
  spots = $state.raw<Record<string, Spot>>({})
  paths = $state.raw<Record<string, Point[]>>({})
  verdict = $state.raw<{ ok: boolean; refusal?: Refusal } | null>(null)
  dragging = $state(false)
  whole = $state(true)
  busy = $state(false)
  readonly home: Record<string, Spot> = {}
  private known = new Map<string, Figure>()
  private asking = false
  private stale = false
  private gone = false

  constructor(
    readonly seat: Seat,
    readonly decision: Decision,
    scene: Scene,
  ) {
    this.placing = decision.kind === 'place figures'
    for (const unit of scene.units) for (const f of unit.figures) if (this.figures.includes(f.id)) this.known.set(f.id, f)
    if (!this.placing) {
      for (const [id, f] of this.known) this.home[id] = { x: f.x, y: f.y, facing: null }
      this.spots = { ...this.home }
    }
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
        return [id, path ?? [[round(x), round(y)]]]
      }),
    )
  }

  set(spots: Record<string, Spot>): void {
    this.spots = { ...this.spots, ...spots }
    this.paths = {}
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

  /** Ranks of at most five, shoulder to shoulder, round where they are. */
  lineUp(): void {
    const ids = this.figures.filter((id) => id in this.spots)
    const mx = ids.reduce((sum, id) => sum + this.spots[id].x, 0) / ids.length
    const my = ids.reduce((sum, id) => sum + this.spots[id].y, 0) / ids.length
    const wide = Math.max(...ids.map((id) => this.reach(id) * 2)) + 2
    const files = Math.min(ids.length, ids.length > 10 ? 10 : 5)
    const ranks = Math.ceil(ids.length / files)
    this.set(
      Object.fromEntries(
        ids.map((id, n) => {
          const rank = Math.floor(n / files)
          const inRank = Math.min(files, ids.length - rank * files)
          const x = mx + ((n % files) - (inRank - 1) / 2) * wide
          return [id, { ...this.spots[id], x, y: my + ((ranks - 1) / 2 - rank) * wide }]
        }),
      ),
    )
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
    if (!this.moved().length) {
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
        if (told.ok && !this.placing && !this.stale && !this.asking) this.paths = told.answer
      } else if (told.type === 'refused') this.verdict = { ok: false, refusal: told.refusal }
    })
  }

  /** The verdict on the draft as it is now. */
  async settled(): Promise<boolean> {
    for (let n = 0; n < 100 && (this.asking || this.stale); n++) await new Promise((done) => setTimeout(done, 30))
    return this.verdict?.ok ?? false
  }

  reset(): void {
    this.spots = { ...this.home }
    this.paths = {}
    this.verdict = null
    if (this.placing) void this.suggest()
  }

  async suggest(): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    let told = await this.seat.ask('suggest', { side: this.seat.side })
    for (let n = 0; n < 20 && told.why === 'busy' && !this.gone; n++) {
      await new Promise((done) => setTimeout(done, 150))
      told = await this.seat.ask('suggest', { side: this.seat.side })
    }
    this.busy = false
    if (this.gone || told.type !== 'suggestion' || !told.answer) return false
    const spots: Record<string, Spot> = { ...this.home }
    const paths: Record<string, Point[]> = {}
    for (const [id, where] of Object.entries(told.answer as Record<string, unknown[]>)) {
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
    this.spots = spots
    this.paths = paths
    this.look()
    return true
  }

  end(): void {
    this.gone = true
  }
}

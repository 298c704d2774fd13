// What the server lends the eye: reach, zones and threats to draw, and what is seen from where.

import type { Point } from '../drawing/geometry'
import type { Coherency, Scene, Seat, Span } from '../wire.svelte'

export interface Aid {
  kind: string
  of: string
  rule: string
  words: Span[]
  circles: [number, number, number][]
  rings: Point[][]
  limits: number[]
}
export interface Sight {
  /** Null where nobody measures now. */
  distance: number | null
  seen: boolean
  cover: boolean
  through: string[]
  rule: string
  words: Span[]
}
export type Place = string | Point

export class Aids {
  /** For the question that is asked. */
  around = $state.raw<Aid[]>([])
  threats = $state.raw<Aid[]>([])
  /** For the option somebody points at. */
  pointed = $state.raw<Aid[]>([])
  private option = ''
  private pointing = false
  sight = $state.raw<Sight | null>(null)
  private wanted: [Place, Place] | null = null
  private looking = false

  constructor(private seat: Seat) {}

  async lookAround(): Promise<void> {
    const number = this.seat.number
    const told = await this.seat.ask('aids')
    if (told.type === 'aids' && number === this.seat.number) this.around = told.aids
  }

  /** What shows an option; while the answer is on its way, only the last one is asked next. */
  async pointAt(option: string): Promise<void> {
    this.option = option
    if (!option) this.pointed = []
    if (this.pointing) return
    this.pointing = true
    for (let asked = ''; this.option && this.option !== asked; ) {
      asked = this.option
      const number = this.seat.number
      const told = await this.seat.ask('aids', { option: asked })
      if (told.type === 'aids' && this.option === asked && number === this.seat.number) this.pointed = told.aids
    }
    this.pointing = false
  }

  async lookOut(): Promise<void> {
    const told = await this.seat.ask('aids', { threats: true })
    if (told.type === 'aids') this.threats = told.aids
  }

  /** What lies between; while the answer is on its way, only what is wanted last is asked next. */
  async look(from: Place, to: Place): Promise<void> {
    this.wanted = [from, to]
    if (this.looking) return
    this.looking = true
    while (this.wanted) {
      const [a, b]: [Place, Place] = this.wanted
      this.wanted = null
      const told = await this.seat.ask('sight', { from: a, to: b })
      this.sight = told.type === 'sight' ? (told as unknown as Sight) : null
    }
    this.looking = false
  }

  forget(): void {
    this.wanted = null
    this.sight = null
  }

  /** How far a figure may go, in millimetres, or in hexes on a board of hexes; 0 if nobody says; with its `whole` unit no farther than the slowest. */
  reach(figure: string, whole = false): number {
    const limits = this.around.find((aid) => aid.kind === 'reach' && aid.of === figure)?.limits ?? []
    return (whole ? limits[1] : undefined) ?? limits[0] ?? 0
  }
}

/** Figures of one unit that do not keep together: too far from the next one, from any or from the leader, or too near. */
export function strays(places: { id: string; x: number; y: number; r: number }[], kept: Coherency): Set<string> {
  const found = new Set<string>()
  if (places.length < 2) return found
  const leader = kept.round_leader ? places.find((one) => one.id === kept.leader) : undefined
  for (const a of places) {
    let next = Infinity
    let last = 0
    for (const b of places) {
      if (a === b) continue
      const apart = Math.hypot(a.x - b.x, a.y - b.y) - a.r - b.r
      next = Math.min(next, apart)
      last = Math.max(last, apart)
    }
    if (next > kept.nearest + 0.02 || last > (kept.farthest ?? Infinity) + 0.02) found.add(a.id)
    if (kept.least && next < kept.least - 0.02) found.add(a.id)
    if (leader && Math.hypot(a.x - leader.x, a.y - leader.y) - a.r - leader.r > kept.round_leader! + 0.02) found.add(a.id)
  }
  return found
}

/** How many hexes it is from one place to another; the cells of a column stand one on the other. */
export function hexesBetween(grid: NonNullable<Scene['hexes']>, a: Point, b: Point): number {
  const [aq, ar] = cellAt(grid, a)
  const [bq, br] = cellAt(grid, b)
  const [dq, dr] = [aq - bq, ar - br]
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr))
}

function cellAt(grid: NonNullable<Scene['hexes']>, [x, y]: Point): [number, number] {
  const q = (x - grid.x0) / ((grid.width * Math.sqrt(3)) / 2)
  const r = (y - grid.y0) / grid.width - q / 2
  let [rq, rr] = [Math.round(q), Math.round(r)]
  const rs = Math.round(-q - r)
  const [eq, er, es] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs + q + r)]
  if (eq > er && eq > es) rq = -rr - rs
  else if (er > es) rr = -rq - rs
  return [rq, rr]
}

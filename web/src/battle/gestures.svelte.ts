// What a hand means at the table: dragging a unit that is ready answers whom, what and where; clicking an enemy is shooting or
// charging. The answers are given one after the other, each checked by the rules, and stop at the first that does not fit.

import type { Draft, Spot } from '../draft.svelte'
import { asMarch } from '../draft.svelte'
import { Grab, meant } from '../table/grab.svelte'
import type { Decision, Option, Scene, Seat, Way } from '../wire.svelte'

type Given = [ask: string, key: string]

/** What somebody may have meant by a click, to choose from. */
export interface Menu {
  at: { x: number; y: number }
  choices: { option?: Option; way?: Way }[]
}

export class Gestures {
  /** The unit that is dragged before a move is asked for. */
  grab = $state.raw<Grab | null>(null)
  menu = $state.raw<Menu | null>(null)
  /** What may be done with the unit that is asked about. */
  private ways = $state.raw<Way[]>([])
  /** Answers still to be given. */
  private queue: Given[] = []
  /** Where somebody has dragged a unit, until its move is asked for. */
  private laid: { unit: string; spots: Record<string, Spot>; away: number } | null = null
  /** A target somebody clicked: asked the same again, it is meant for that too. */
  private struck: { ask: string; subject: string; key: string } | null = null
  private wanted: Promise<Way[]> = Promise.resolve([])

  /** Enemies that can be clicked although the question does not name them. */
  readonly enemies = $derived.by(() => {
    const found = new Map<string, Way[]>()
    for (const way of this.ways) if (way.on && way.answers.length > 1) found.set(way.on, [...(found.get(way.on) ?? []), way])
    return found
  })

  constructor(
    private readonly seat: Seat,
    private readonly give: (key: string) => void,
  ) {}

  private async waysOf(unit: string): Promise<Way[]> {
    const number = this.seat.number
    const told = await this.seat.patiently('ways', { unit }, () => number !== this.seat.number)
    return told.type === 'ways' && number === this.seat.number ? (told.ways as Way[]) : []
  }

  /** A new question: what was meant goes on, or ends here. True if it was answered. */
  asked(now: Decision | null): boolean {
    this.menu = null
    this.ways = []
    if (!now || !this.seat.scene) {
      this.forget()
      return false
    }
    const next = this.queue.shift()
    if (next && this.fits(now, next)) {
      this.give(next[1])
      return true
    }
    this.queue = []
    if (this.struck && this.struck.subject === now.subject && this.fits(now, [this.struck.ask, this.struck.key])) {
      this.give(this.struck.key)
      return true
    }
    this.struck = null
    const placing = now.kind === 'move figures' || now.kind === 'place figures'
    if (this.laid && (placing ? !now.figures?.some((id) => id in this.laid!.spots) && now.subject !== this.laid.unit : now.subject !== this.laid.unit)) this.laid = null
    if (!placing) {
      this.grab = null
      if (now.kind === 'pick one' && now.subject) void this.lookAhead(now, now.subject)
    }
    return false
  }

  private fits(now: Decision, [ask, key]: Given): boolean {
    return now.kind === 'pick one' && now.ask === ask && (now.options ?? []).some((option) => option.key === key)
  }

  private async lookAhead(now: Decision, unit: string): Promise<void> {
    const ways = await this.waysOf(unit)
    if (now !== this.seat.decision) return
    this.ways = ways
    const laid = this.laid
    const way = laid ? meant(ways, laid.away) : null
    if (way && way.leads !== 'ask') this.run(way)
  }

  /** Answer one after the other. */
  run(way: Way): void {
    const [first, ...rest] = way.answers
    this.queue = rest
    this.menu = null
    this.give(first[1])
  }

  /** An option was chosen by clicking whom it is about. */
  pointedAt(now: Decision, option: Option): void {
    this.struck = option.strike && now.subject ? { ask: now.ask, subject: now.subject, key: option.key } : null
  }

  // -- dragging what is ready

  mayGrab(now: Decision | null, scene: Scene | null, unit: string): boolean {
    const one = scene?.units.find((other) => other.id === unit)
    if (!now || now.kind !== 'pick one' || !one || one.side !== now.side || one.reserve !== null) return false
    const mine = new Set([unit, ...one.figures.map((f) => f.id)])
    return now.subject === unit || (now.options ?? []).some((option) => option.things?.some((id) => mine.has(id)))
  }

  take(scene: Scene, unit: string): void {
    const one = scene.units.find((other) => other.id === unit)
    if (!one) return
    const grab = (this.grab = new Grab(this.seat, one, scene))
    this.wanted = this.waysOf(unit)
    void this.wanted.then((ways) => (grab.ways = ways))
  }

  async letGo(): Promise<void> {
    const grab = this.grab
    if (!grab) return
    const ways = await this.wanted
    if (grab !== this.grab) return
    const way = meant(ways, grab.travelled)
    if (!way) return this.forget()
    this.laid = { unit: grab.unit.id, spots: grab.spots, away: grab.travelled }
    this.run(way)
  }

  /** The move that was meant is asked for: it is laid where it was dragged to. True if there was one. */
  lay(draft: Draft): boolean {
    const laid = this.laid
    this.laid = null
    this.grab = null
    if (!laid) return false
    const march = asMarch(draft)
    if (march) {
      const all = Object.entries(laid.spots)
      const unit = this.seat.scene?.units.find((one) => one.id === laid.unit)
      const moved = all.map(([id, spot]) => ({ spot, home: unit?.figures.find((f) => f.id === id) ?? spot }))
      const [dx, dy] = [moved.reduce((sum, one) => sum + one.spot.x - one.home.x, 0) / all.length, moved.reduce((sum, one) => sum + one.spot.y - one.home.y, 0) / all.length]
      const { x, y } = march.pose
      march.grip([x, y])
      march.pull('body', [x + dx, y + dy])
      march.letGo()
      return true
    }
    const spots = Object.fromEntries(draft.figures.flatMap((id) => (laid.spots[id] ? [[id, { ...laid.spots[id], facing: draft.spots[id]?.facing ?? null }]] : [])))
    if (!Object.keys(spots).length) return false
    draft.set(spots)
    draft.dropped = true
    return true
  }

  forget(): void {
    this.queue = []
    this.laid = this.struck = this.grab = this.menu = null
  }
}

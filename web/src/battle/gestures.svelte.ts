// What a hand means at the table: dragging a unit that is ready answers whom, what and where; clicking an enemy is shooting or
// charging. The answers are given one after the other, each checked by the rules, and stop at the first that does not fit.

import type { Draft, Spot } from '../draft.svelte'
import { asMarch } from '../draft.svelte'
import { Grab, meant } from '../table/grab.svelte'
import type { Dropped } from '../table/props'
import type { Decision, Option, Scene, Seat, Way } from '../wire.svelte'

/** What is asked, and the key of the answer. */
export type Given = [ask: string, key: string]

/** What somebody may have meant by a click, to choose from. */
export interface Menu {
  at: { x: number; y: number }
  choices: { option?: Option; way?: Way }[]
}

/** A unit that was dragged somewhere before its move is asked for. */
interface Laid {
  unit: string
  spots: Record<string, Spot>
  away: number
  /** Something was decided while it lay there: it is meant so. */
  sure: boolean
  /** What it was dropped on, and where. */
  over?: string
  at?: Dropped
  /** How far the move goes at most that was chosen for it; 0 where nobody says so. */
  reach: number
  /** It is the rest of a way: it goes on at this question, if nobody else has answered in between. */
  then?: number
}

/** So much is nothing, in millimetres: numbers are sent with two decimals. */
const REST = 0.05

const answerTo = (now: Decision, key: string): unknown => (now.kind === 'pick several' ? [key] : key)

export class Gestures {
  /** The unit that is dragged before a move is asked for. */
  grab = $state.raw<Grab | null>(null)
  menu = $state.raw<Menu | null>(null)
  /** What may be done with the unit that is asked about. */
  private ways = $state.raw<Way[]>([])
  /** Answers still to be given. */
  private queue: Given[] = []
  /** Where somebody has dragged a unit, until its move is asked for. */
  private laid: Laid | null = null
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
    private readonly give: (answer: unknown) => void,
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
      this.give(answerTo(now, next[1]))
      return true
    }
    this.queue = []
    if (this.struck && this.struck.subject === now.subject && this.fits(now, [this.struck.ask, this.struck.key])) {
      this.give(this.struck.key)
      return true
    }
    this.struck = null
    const placing = now.kind === 'move figures' || now.kind === 'place figures'
    if (this.laid?.then && !placing && this.seat.number !== this.laid.then) this.laid = null
    if (this.laid && (placing ? !now.figures?.some((id) => id in this.laid!.spots) && now.subject !== this.laid.unit : now.subject !== this.laid.unit)) this.laid = null
    if (!placing) {
      if (!this.laid) this.grab = null
      if (now.kind === 'pick one' && now.subject) void this.lookAhead(now, now.subject)
    }
    return false
  }

  private fits(now: Decision, [ask, key]: Given): boolean {
    return (now.kind === 'pick one' || (now.kind === 'pick several' && (now.least ?? 0) <= 1)) && now.ask === ask && (now.options ?? []).some((option) => option.key === key)
  }

  private async lookAhead(now: Decision, unit: string): Promise<void> {
    const ways = await this.waysOf(unit)
    if (now !== this.seat.decision) return
    this.ways = ways
    const laid = this.laid
    const way = laid ? meant(ways, laid.away) : null
    if (!laid || !way || way.leads === 'ask') return
    laid.reach = way.reach ?? 0
    this.run(way)
  }

  /** Answer one after the other. */
  run(way: Way): void {
    const [first, ...rest] = way.answers
    const now = this.seat.decision
    this.queue = rest
    this.menu = null
    if (now) this.give(answerTo(now, first[1]))
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

  /** It was let go: on an enemy that is to strike him, elsewhere to go there. */
  async letGo(over?: string, at?: Dropped): Promise<void> {
    const grab = this.grab
    if (!grab) return
    const ways = await this.wanted
    if (grab !== this.grab) return
    const strikes = over ? ways.filter((way) => way.leads === 'strike' && way.on === over) : []
    if (strikes.length) {
      this.forget()
      if (strikes.length === 1) this.run(strikes[0])
      else if (at) this.menu = { at, choices: strikes.map((way) => ({ way })) }
      return
    }
    const way = meant(ways, grab.travelled)
    if (!way) return this.forget()
    const again = this.laid?.unit === grab.unit.id
    this.laid = { unit: grab.unit.id, spots: grab.spots, away: grab.travelled, sure: false, over, at, reach: way.reach ?? 0 }
    // It lies there while something else is asked first: dragged once more, it lies elsewhere.
    if (!again) this.run(way)
  }

  /** What is asked was decided by hand: with it goes what was dragged before. */
  decided(): void {
    if (this.laid) this.laid.sure = true
  }

  /** The move that was meant is asked for: it is laid where it was dragged to. Null if there was none. */
  lay(draft: Draft): Laid | null {
    const laid = this.laid
    this.laid = null
    this.grab = null
    return laid && this.place(laid, draft) ? laid : null
  }

  private place(laid: Laid, draft: Draft): boolean {
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
    this.goOn(laid, draft, spots)
    draft.set(spots)
    draft.dropped = true
    draft.sure = laid.sure
    return true
  }

  /** Who was dragged farther than one move takes him goes as far as it does, and on with the next one if there is one. */
  private goOn(laid: Laid, draft: Draft, spots: Record<string, Spot>): void {
    const ids = draft.placing ? [] : Object.keys(spots).filter((id) => draft.home[id])
    const away = Math.max(0, ...ids.map((id) => Math.hypot(spots[id].x - draft.home[id].x, spots[id].y - draft.home[id].y)))
    const reach = laid.reach - REST
    if (reach <= 0 || away < laid.reach + REST) return
    this.laid = { ...laid, away: away - reach, then: this.seat.number + 1 }
    for (const id of ids) {
      const { x, y } = draft.home[id]
      spots[id] = { ...spots[id], x: x + ((spots[id].x - x) * reach) / away, y: y + ((spots[id].y - y) * reach) / away }
    }
  }

  forget(): void {
    this.queue = []
    this.laid = this.struck = this.grab = this.menu = null
  }
}

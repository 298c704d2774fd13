// What would be asked next: it stands beside the option one points at, so that both are answered by one click.

import type { Given } from '../battle/gestures.svelte'
import type { Decision, Seat } from '../wire.svelte'

/** A question beside an option, and the answers that lead to it. */
interface Level {
  /** The answers in one word: what tells levels apart. */
  asked: string
  way: Given[]
  decision: Decision
  /** Where it stands, in pixels from the right and the top of the window. */
  right: number
  top: number
}

const OPENS = 120
const TURNS = 260
/** How long it stays when the pointer is nowhere. */
const STAYS = 350
/** Answers of one click: what the server says, and no more than a hand can follow. */
const LONGEST = 3
const ROW = 34

export class Beside {
  levels = $state.raw<Level[]>([])
  private timer = 0
  private wanted = ''

  constructor(
    private readonly seat: Seat,
    private readonly give: (way: Given[]) => void,
  ) {}

  /** Somebody points at an option: after a moment, what comes after it is beside it. */
  point(way: Given[], at: HTMLElement): void {
    this.wanted = told(way)
    clearTimeout(this.timer)
    const here = this.levels[way.length - 1]
    if (here?.asked === this.wanted) return
    // Somebody on his way to what stands there crosses other options.
    this.timer = window.setTimeout(() => void this.open(way, at), here ? TURNS : OPENS)
  }

  private async open(way: Given[], at: HTMLElement): Promise<void> {
    const asked = this.wanted
    const now = this.seat.number
    this.levels = this.levels.slice(0, way.length - 1)
    if (way.length >= LONGEST) return
    const gone = () => asked !== this.wanted || now !== this.seat.number
    const answer = await this.seat.patiently('ahead', { keys: way.map(([, key]) => key) }, gone)
    if (gone() || answer.type !== 'ahead' || answer.number !== now || !answer.decision || !at.isConnected) return
    const decision = answer.decision as Decision
    const box = at.getBoundingClientRect()
    const high = Math.min(decision.options?.length ?? 0, 7) * ROW + 60
    const level = { asked, way, decision, right: Math.round(innerWidth - box.left + 4), top: Math.max(4, Math.round(Math.min(box.top - 4, innerHeight - high))) }
    this.levels = [...this.levels.slice(0, way.length - 1), level]
  }

  stay(): void {
    clearTimeout(this.timer)
  }

  leave(): void {
    clearTimeout(this.timer)
    this.wanted = ''
    this.timer = window.setTimeout(() => this.forget(), STAYS)
  }

  forget(): void {
    clearTimeout(this.timer)
    this.wanted = ''
    this.levels = []
  }

  choose(way: Given[]): void {
    this.forget()
    this.give(way)
  }
}

const told = (way: Given[]) => way.map(([ask, key]) => `${ask}=${key}`).join(' ')

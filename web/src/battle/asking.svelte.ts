// The question that is asked, and the answer to it in the making: what is picked, dragged, suggested, sent and refused.

import { untrack } from 'svelte'
import { asMarch, Draft } from '../draft.svelte'
import type { Point } from '../drawing/geometry'
import { page } from '../page.svelte'
import { Beside } from '../question/beside.svelte'
import { ticked } from '../question/ticks'
import type { Turn } from '../replay/reel.svelte'
import { standsAgainst } from '../table/against'
import type { Aids } from '../table/aids.svelte'
import type { Dropped } from '../table/props'
import type { Decision, Option, Reason, Refusal, Reply, Seat, Way } from '../wire.svelte'
import { Prospects } from './foresight.svelte'
import { Gestures } from './gestures.svelte'

/** A question that passes until the round is over. */
export interface Resting {
  side: number
  ask: string
  words: string
}

/** The things on the table an option is about. */
export const thingsOf = (option: Option): string[] => option.things ?? []

/** Ticks, shares and orders that have to be given. */
const isLaid = (now: Decision): boolean =>
  now.kind === 'put in order' || (now.kind === 'allocate' && now.passing === undefined) || (now.kind === 'pick several' && (now.least ?? 0) > 0 && now.default === undefined)

export class Asking {
  draft = $state.raw<Draft | null>(null)
  picked = $state.raw<string[]>([])
  /** Only these options, where a figure with several was clicked or a captain was asked. */
  among = $state.raw<Set<string> | null>(null)
  /** What somebody points at. */
  pointed = $state.raw<Set<string>>(new Set())
  refusal = $state.raw<Refusal | null>(null)
  /** What a captain laid, and for which question. */
  private layout = $state.raw<{ asked: string; answer: unknown } | null>(null)
  sending = $state(false)
  /** Whether the last answer did not arrive. */
  failed = $state(false)
  /** Which of the captain's ideas is shown, counted from 0, how many he has, and what speaks for it. */
  idea = $state(-1)
  ideas = $state(1)
  because = $state<Reason[]>([])
  /** What passes until the round is over, and in which it is. */
  resting = $state.raw<Resting[]>([])
  private round = 0
  /** The question a captain thinks about. */
  private pondered = $state('')
  readonly prospects: Prospects
  readonly gestures: Gestures
  /** What would be asked next. */
  readonly beside: Beside

  readonly decision = $derived.by(() => this.seat.decision)
  readonly asked = $derived.by(() => (this.decision ? `${this.seat.number} ${this.seat.side} ${this.decision.ask}` : ''))
  /** What is laid as an answer before anybody has touched it. */
  readonly laid = $derived.by(() => (this.layout?.asked === this.asked ? this.layout.answer : undefined))
  readonly options = $derived.by(() => (this.decision && !this.draft ? (this.decision.options ?? []) : []))
  readonly lit = $derived.by(() => new Set([...this.options.flatMap(thingsOf), ...this.gestures.enemies.keys()]))
  readonly chosen = $derived.by(() => new Set(this.options.filter((o) => this.picked.includes(o.key)).flatMap(thingsOf)))
  /** Options that are places on the table. */
  readonly spots = $derived.by(() =>
    this.options.flatMap((o) => {
      const at = o.facts?.at
      return Array.isArray(at) && at.length === 2 && at.every((n) => typeof n === 'number')
        ? [{ key: o.key, at: at as Point, label: o.words?.map((s) => s.text).join('') ?? o.key }]
        : []
    }),
  )

  constructor(
    private readonly seat: Seat,
    private readonly aids: Aids,
    private readonly turn: Turn,
  ) {
    this.prospects = new Prospects(seat, () => this.asked)
    this.gestures = new Gestures(seat, (given) => void this.send(() => seat.answer(given)))
    this.beside = new Beside(seat, (answers) => this.gestures.run({ answers, leads: 'ask' }))
    // A new question: nothing of the old one stays.
    $effect(() => {
      void this.asked
      untrack(() => this.begin())
    })
  }

  get pondering(): boolean {
    return !!this.asked && this.pondered === this.asked
  }

  private begin(): void {
    this.draft?.end()
    this.draft = null
    this.picked = []
    this.among = null
    this.pointed = new Set()
    this.refusal = null
    this.layout = null
    this.beside.forget()
    this.prospects.forget()
    this.sending = false
    this.idea = -1
    this.aids.around = []
    void this.aids.pointAt('')
    const now = this.seat.decision
    if (now && this.rests(now)) return void this.send(() => this.seat.answer(now.passing))
    if (this.gestures.asked(now) || !now || !this.seat.scene) return
    if (now.kind === 'pick several' && Array.isArray(now.default)) this.picked = now.default as string[]
    if (now.kind === 'place figures' || now.kind === 'move figures') {
      if (now.guide) void this.takeUp(now)
      else {
        const held = (this.draft = new Draft(this.seat, now, this.seat.scene))
        const over = this.gestures.lay(held)
        if (over) void this.drop(over.over, over.at)
        else if (held.placing) void held.suggest()
        else void this.suggestIfDue(held)
      }
    } else {
      void this.prospects.lookUp()
      if (isLaid(now)) void this.lay(now)
    }
    void this.aids.lookAround()
  }

  /** What has to be given is laid already, as a captain would answer: to be confirmed, or changed. */
  private async lay(now: Decision): Promise<void> {
    const asked = this.asked
    const gone = () => now !== this.decision || (now.kind === 'pick several' && this.picked.length > 0)
    const told = await this.seat.patiently('suggest', { side: now.side, other: 0 }, gone)
    if (!gone() && told.type === 'suggestion') this.layout = { asked, answer: told.answer }
  }

  /** A block is taken in hand. */
  private async takeUp(now: Decision): Promise<void> {
    const { March } = await import('../table/march.svelte')
    if (now !== this.seat.decision || !this.seat.scene) return
    const held = (this.draft = new March(this.seat, now, this.seat.scene))
    const over = this.gestures.lay(held)
    if (over) return void this.drop(over.over, over.at)
    if (now.how === 'place' || now.how === 'turn and march') void held.suggest()
    // Where one cannot simply come in, one is shown where one can.
    else if (!held.guide.edge) void this.suggestIfDue(held)
    else if (!(await held.settled()) && !held.dragging) void held.suggest()
  }

  /** Where one may not stay, a move that the rules accept is laid already: to be confirmed, or changed. */
  private async suggestIfDue(held: Draft): Promise<void> {
    if (held.blind) return
    if (held.decision.laid) return void held.suggest()
    const told = await this.seat.try({})
    if (told.type === 'tried' && !told.ok && held === this.draft && !held.dragging && !held.moved().length) void held.suggest()
  }

  /** Point at an option: it is shown on the table, and if it is an attack, what would come of it. */
  point(option: Option | null): void {
    this.pointed = new Set(option ? thingsOf(option) : [])
    void this.aids.pointAt(option && !this.draft ? option.key : '')
    this.prospects.point(option)
  }

  /** Something on the table was clicked, by its ids. */
  pick(ids: string[], at?: { x: number; y: number }): void {
    if (!this.decision || this.sending) return
    if (this.draft) return void this.tapped(this.draft, ids)
    const found = this.options.filter((o) => thingsOf(o).some((one) => ids.includes(one)))
    const ways = ids.flatMap((id) => this.gestures.enemies.get(id) ?? [])
    if (!found.length && !ways.length) {
      this.among = null
    } else if (this.decision.kind === 'pick several') {
      this.picked = ticked(this.picked, found[0].key, this.decision.most)
    } else if (this.decision.kind === 'pick one') {
      if (found.length + ways.length === 1) this.choose(found[0], ways[0])
      else if (at && (ways.length || found.some((o) => o.strike))) this.gestures.menu = { at, choices: [...found.map((option) => ({ option })), ...ways.map((way) => ({ way }))] }
      else this.among = new Set(found.map((o) => o.key))
    }
  }

  /** What was clicked, or picked from a menu: an option, or a way that leads to one. */
  choose(option?: Option, way?: Way): void {
    this.gestures.menu = null
    if (!option) return way && this.gestures.run(way)
    if (this.decision) this.gestures.pointedAt(this.decision, option)
    void this.answer(option.key)
  }

  /** A tap on what was dropped gives it. */
  private tapped(held: Draft, ids: string[]): void {
    if (held.dropped && held.verdict?.ok && ids.some((id) => held.has(id))) void this.answer(held.answer())
  }

  /** Somebody has decided: what lies dragged on the table is meant with it. */
  answer(given: unknown): Promise<void> {
    this.gestures.decided()
    return this.send(() => this.seat.answer(given))
  }

  /** Let it pass, now and whenever it is asked, or as long as this round lasts. */
  passAlways(thisRound: boolean): Promise<void> {
    const now = this.seat.decision
    if (!now) return Promise.resolve()
    if (!thisRound) return this.send(() => this.seat.passAlways(now.ask))
    this.resting = [...this.resting, { side: now.side, ask: now.ask, words: now.words.map((span) => span.text).join('') }]
    return this.answer(now.passing)
  }

  /** Be asked again, this round. */
  wake(one: Resting): void {
    this.resting = this.resting.filter((other) => other !== one)
  }

  private rests(now: Decision): boolean {
    const round = this.seat.scene?.round ?? 0
    if (round !== this.round) {
      this.round = round
      this.resting = []
    }
    return now.passing !== undefined && this.resting.some((one) => one.side === now.side && one.ask === now.ask)
  }

  private async send(say: () => Promise<Reply>): Promise<void> {
    if (this.sending) return
    this.sending = true
    this.refusal = null
    this.failed = false
    const then = this.asked
    this.turn.answered()
    const told = await say()
    if (told.type === 'refused' && then === this.asked) {
      // Beside a draft stands what is wrong with it as it is now.
      if (!this.draft) this.refusal = told.refusal
      if (this.draft) this.draft.verdict = { ok: false, refusal: told.refusal }
    } else if (told.type === 'error') this.failed = true
    if (told.type !== 'ack' || then === this.asked) this.sending = false
  }

  /** What a captain would choose; asked again, what he thinks of next. `fillIn` puts in what is not picked on the table. */
  async suggest(fillIn: (answer: unknown) => void): Promise<void> {
    if (!this.decision) return
    if (this.draft) return void this.draft.suggest()
    if (this.pondered === this.asked) return
    const then = (this.pondered = this.asked)
    const other = (this.idea + 1) % 100
    const told = await this.seat.patiently('suggest', { side: this.seat.side, other }, () => then !== this.asked)
    if (this.pondered === then) this.pondered = ''
    if (then !== this.asked) return
    if (told.type !== 'suggestion') return
    this.ideas = told.ideas ?? 1
    this.because = told.because ?? []
    this.idea = other % this.ideas
    if (this.decision.kind === 'pick one') {
      this.among = new Set([told.answer as string])
      this.pointed = new Set(this.options.filter((o) => o.key === told.answer).flatMap(thingsOf))
    } else fillIn(told.answer)
  }

  /** One that is dropped on somebody stands against him. */
  private standAgainst(held: Draft, over: string): void {
    const [id] = held.moved()
    const figure = held.figures.length === 1 && !held.legged && id ? held.figure(id) : undefined
    const spot = figure && this.seat.scene && standsAgainst(this.seat.scene, over, figure, held.spots[id])
    if (spot) held.set({ [id]: spot })
  }

  /** What was dragged has been let go: it lies there until it is confirmed, or is given at once. */
  async drop(over?: string, at?: Dropped): Promise<void> {
    if (this.gestures.grab) return this.gestures.letGo(over, at)
    const held = this.draft
    if (!held) return
    held.dropped = true
    if (over) this.standAgainst(held, over)
    if (!(page.atOnce || held.sure) || held.placing || held.blind) return
    // A block is given after one leg, unless there is another to come.
    const march = asMarch(held)
    if (march && (!page.atOnce || !march.marches || at?.more)) return
    const ok = await held.settled()
    if (ok && held === this.draft && !held.dragging && (held.whole || held.figures.length === 1)) void this.answer(held.answer())
  }
}

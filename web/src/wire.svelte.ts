// A seat at a table: what the server has told, and how to answer it. It comes back by itself when the line breaks.

import type { Base, Shape } from './drawing/geometry'
import type { TableData } from './drawing/terrain'
import type { Lang, Named } from './words'

export interface Figure {
  id: string
  x: number
  y: number
  z: number
  facing: number
  height: number
  base: Base
  wounds: number
  tough: number
  hero: boolean
  /** What it is, where that is not what its unit is. */
  look?: string
  /** What it is in its unit, where that is more than one of many. */
  role?: string
}
/** The middle of a block, and which way it looks: against the clock from up the table. */
export interface Pose {
  x: number
  y: number
  facing: number
}
/** How figures of a unit keep together, between bases: to the next one, to all, no nearer than; and round whom. */
export interface Coherency {
  nearest: number
  farthest?: number | null
  least?: number
  leader?: string
  round_leader?: number
}
/** What a unit has to spend. */
export interface Pool {
  kind: string
  left: number
  used: number
}
export interface Unit {
  id: string
  side: number
  tag: string
  name: Named
  look: string
  states: string[]
  reserve: string | null
  fate: string | null
  figures: Figure[]
  fallen: { id: string; x: number; y: number; radius: number }[]
  /** The rectangle of a unit in ranks and files. */
  block?: Pose & { width: number; depth: number }
  /** The piece of terrain it is inside of. */
  inside?: string
  /** How many figures it had at first. */
  start?: number
  /** Its own, where units keep together in ways of their own. */
  coherency?: Coherency
  pools?: Pool[]
}
export interface Marker {
  id: string
  kind: string
  x: number
  y: number
  radius: number
  owner: number | null
}
export interface Objective {
  id: string
  x: number
  y: number
  owner: number | null
  reach: number
}
export interface Card {
  name: Named
  text: Named
}
export interface Pile {
  side: number
  kind: string
  title: Named
  cards: (Card | null)[]
  /** Turned up from it. */
  shown: Card[]
}
export interface Scene {
  round: number
  /** What the game's book calls a round; empty for the page's own word. */
  round_word?: Named
  over: boolean
  winner: number | null
  /** All sides that have won. */
  winners?: number[]
  /** How many sides somebody plays; those after them are nobody's. */
  players?: number
  /** The alliance of each side, by number; empty if all stand alone. */
  teams?: number[]
  /** Sides that have conceded. */
  left?: number[]
  score: unknown
  turn: unknown
  table: TableData
  hexes: { width: number; x0: number; y0: number } | null
  zones: (Shape & { side: number })[]
  /** How near figures of a unit keep to the next one, and to all. */
  coherency: [number, number | null] | null
  place_of_power: string | null
  objectives: Objective[]
  markers: Marker[]
  /** Lines that mean something to a side. */
  areas?: { kind: string; side: number; ring: [number, number][] }[]
  borders?: { kind: string; side: number; line: [[number, number], [number, number]] }[]
  /** Units that fight each other hand to hand. */
  contacts?: [string, string][]
  /** It is played with real heights; the openings that are closed now; night, and how far what gives light lights. */
  heights?: boolean
  closed?: string[]
  night?: boolean
  lights?: [number, number, number][]
  units: Unit[]
  /** Cards beside the table, the top one first; what lies face down is null. */
  piles?: Pile[]
}
export interface Span {
  text: string
  kind?: string
  ref?: string
  side?: number
}
export interface Option {
  key: string
  word: string
  facts: Record<string, unknown>
  /** The ids of what it is about: units, figures, tokens, pieces of terrain. */
  things?: string[]
  words?: Span[]
  /** An attack: whose on whom, by hand or from afar. */
  strike?: { by: string; on: string; charge: boolean; way?: string }
}
export interface Group {
  key: string
  slots: string[]
  least: number
  /** None of its own, where what the slots hold is all there is. */
  most: number | null
  words?: Span[]
}
export interface Decision {
  kind: string
  side: number
  ask: string
  rule: string
  about: Record<string, unknown>
  words: Span[]
  /** The unit it is about. */
  subject?: string
  secret?: boolean
  /** What it is about has been measured, where nobody measures before he has decided. */
  measured?: boolean
  options?: Option[]
  besides?: Option[]
  default?: unknown
  /** The answer that lets it pass; a player may have it given whenever this is asked. */
  passing?: unknown
  least?: number
  most?: number
  slots?: Record<string, number>
  slot_words?: Record<string, Span[]>
  /** Slots with a budget of their own: least and most that all of them hold together. */
  groups?: Group[]
  figures?: string[]
  /** What a point of a way may say: "jump", or the opening one goes through. */
  marks?: string[]
  /** Blocks that are moved: where they stand, how large they are, and what a hand may do with them. */
  blocks?: Record<string, [number, number, number]>
  bodies?: Record<string, { width: number; depth: number; parts: [number, number, number, number][] }>
  how?: 'march' | 'turn' | 'turn and march' | 'place'
  guide?: Guide
  /** An answer to it has odds while it is in the making. */
  draft_odds?: boolean
  /** What somebody who learns is told. */
  hint?: Hint
}
/** What a first battle says at a question, with the rule to read, and how much of it has been explained. */
export interface Hint {
  say: string
  rule: string
  /** Nothing of the kind was asked before. */
  new: boolean
  explained: number
  of: number
}
/** What guides a hand that moves a block. */
export interface Guide {
  /** Who, how far to the right of and ahead of its middle, how wide and how deep. */
  stands: [string, number, number, number, number][]
  reach: number
  aside: number
  chord: boolean
  edge: [[number, number, number], [number, number, number]] | null
  poses: [number, number, number][]
}
/** Dice as they lie: what each needed (at most, where low is good), and how many of the best did; or the total of an opposed roll. */
export interface Throw {
  faces: number[]
  needed?: number
  good?: number
  total?: number
  side?: number
  low?: boolean
}
export interface Line {
  n: number
  event: Record<string, unknown>
  words: Span[]
  rule: string
  dice?: Throw[]
  head?: boolean
  aside?: boolean
  /** What the dice had to reach: side, kind, dice, successes, how many were expected, and their variance. */
  luck?: [number, string, number, number, number, number][]
}
export interface Refusal {
  rule: string
  why: string
  facts: Record<string, unknown>
  words: Span[]
}
/** One reason a bot gives, and what it is worth to it in points. */
export interface Reason {
  because?: string
  worth?: number
}
/** How likely so many or more are, by number. */
export type AtLeast = Record<string, number>
export interface Odds {
  title: Named
  columns: (Named & { as?: string })[]
  rows: [string | Named, ...(number | AtLeast)[]][]
  note?: Named
}
/** A seed that took the place of the first after so many answers: its hash, and when the battle is over the rest. */
export interface FurtherSeed {
  after: number
  seed_hash: string
  seed?: string
  salt?: string
}
/** How a battle has ended, and what that is in words. */
export interface Result {
  winners: number[]
  score: number[]
  words: Named
}
export interface Info {
  id: string
  game: string
  mode: string
  measure: string
  armies: (Named | null)[]
  players: { side: number; bot: string | null }[]
  you: { sides: number[]; spectator: boolean }
  seed_hash: string
  further_seeds?: FurtherSeed[]
  /** Whether everybody may measure at any time, and the rule by which nobody may. */
  measuring?: { open: boolean; rule: string }
  campaign?: string | null
  /** A first battle: what it is called and what it is about. */
  lesson?: { name: Named; about: Named; side: number }
  seed?: string
  salt?: string
  /** It is over, and nothing of it is hidden any more. */
  open?: boolean
  result?: Result
}
export interface Changes {
  set: Partial<Scene>
  units?: Keyed<Unit>
  markers?: Keyed<Marker>
  objectives?: Keyed<Objective>
}
interface Keyed<T> {
  changed: T[]
  gone: string[]
  order?: string[]
}

/** The new scene from the old one and what has changed. */
export function applied(old: Scene, told: Changes): Scene {
  const made = { ...old, ...told.set } as Scene
  for (const key of ['units', 'markers', 'objectives'] as const) {
    const change = told[key] as Keyed<{ id: string }> | undefined
    if (!change) continue
    const things = new Map((old[key] as { id: string }[]).map((thing) => [thing.id, thing]))
    change.gone.forEach((id) => things.delete(id))
    change.changed.forEach((thing) => things.set(thing.id, thing))
    Object.assign(made, { [key]: (change.order ?? [...things.keys()]).map((id) => things.get(id)) })
  }
  return made
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Reply = { type: string; id?: number; [key: string]: any }

/** A part of what a way costs: where on the way it falls due, and the sentence for it. */
export interface Cost {
  at: [number, number]
  length: number
  words: Span[]
}

/** A question that a side lets pass, in the words it was asked in. */
export interface LetPass {
  side: number
  ask: string
  words: Named
}

/** Milliseconds between asking whether somebody is there, and how often that may go unanswered. */
const BEAT = 2000
const MOST_SILENT = 4

export class Seat {
  status = $state<'connecting' | 'open' | 'lost' | 'gone'>('connecting')
  info = $state.raw<Info | null>(null)
  scene = $state.raw<Scene | null>(null)
  decision = $state.raw<Decision | null>(null)
  log = $state.raw<Line[]>([])
  waiting = $state.raw<number[]>([])
  undo = $state.raw<{ by: number; to: number; yes?: number[] } | null>(null)
  passes = $state.raw<LetPass[]>([])
  over = $state(false)
  side = $state(-1)
  number = $state(0)
  /** Others have acted: the table before and after, what is said of it, and how much had been said before; null: all is told anew. */
  onothers: ((did: { before: Scene; after: Scene; lines: Line[]; told: number } | null) => void) | null = null
  private sent = 0
  private epoch = 0
  private socket: WebSocket | null = null
  private asked = new Map<number, (reply: Reply) => void>()
  private next = 1
  private pause = 300
  private closed = false
  private timer = 0
  private beat = 0
  /** How often it was asked whether somebody is there since anything was heard. */
  private silent = 0

  constructor(
    readonly id: string,
    readonly secret: string,
    private lang: Lang,
  ) {
    this.connect()
  }

  private connect(): void {
    const at = new URL(`/ws/${encodeURIComponent(this.id)}`, location.href)
    at.protocol = at.protocol.replace('http', 'ws')
    at.search = new URLSearchParams({
      seat: this.secret,
      lang: this.lang,
      since: String(this.log.length),
      epoch: String(this.epoch),
    }).toString()
    const socket = (this.socket = new WebSocket(at))
    socket.onmessage = (event) => {
      if (socket !== this.socket) return
      this.silent = 0
      this.hear(JSON.parse(event.data))
    }
    socket.onclose = (event) => this.ended(socket, event.code)
    this.silent = 0
    clearInterval(this.beat)
    this.beat = window.setInterval(() => this.listen(socket), BEAT)
  }

  /** A line that has died says nothing, not even that it is closed. */
  private listen(socket: WebSocket): void {
    if (this.silent++ < MOST_SILENT) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'ping', id: 0 }))
      return
    }
    this.ended(socket)
    socket.close()
  }

  private ended(socket: WebSocket, code = 0): void {
    if (socket !== this.socket) return
    this.socket = null
    clearInterval(this.beat)
    this.asked.forEach((done) => done({ type: 'error', why: 'lost' }))
    this.asked.clear()
    if (this.closed) return
    if (code === 4404 || code === 4409) {
      this.status = 'gone'
      return
    }
    this.status = 'lost'
    this.timer = window.setTimeout(() => this.connect(), this.pause)
    this.pause = Math.min(this.pause * 1.7, 5000)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    clearInterval(this.beat)
    this.socket?.close()
  }

  private hear(told: Reply): void {
    if (told.type === 'hello' || told.type === 'update') {
      if (told.type === 'hello') {
        this.info = told as unknown as Info
        this.onothers?.(null)
        this.sent = 0
        this.scene = told.scene
        this.status = 'open'
        this.pause = 300
      } else {
        if (told.from !== this.log.length) return this.socket?.close()
        const before = this.scene!
        this.scene = applied(before, told.changes)
        const own = (told.log as Line[]).filter((line) => line.n <= this.sent).length
        if (told.number > Math.max(this.number, this.sent)) this.onothers?.({ before, after: this.scene, lines: told.log.slice(own), told: told.from + own })
        if (told.over && this.info) this.info = { ...this.info, seed: told.seed, salt: told.salt, further_seeds: told.further_seeds, open: told.open, result: told.result, measuring: told.measuring }
      }
      this.log = [...this.log.slice(0, told.from), ...told.log]
      this.epoch = told.epoch
      this.number = told.number
      this.side = told.side
      this.decision = told.decision
      this.waiting = told.waiting
      this.undo = told.undo
      this.passes = told.passes ?? []
      this.over = told.over
    }
    if (told.type === 'passes') this.passes = told.passes
    if (told.id !== undefined) {
      this.asked.get(told.id)?.(told)
      this.asked.delete(told.id)
    }
  }

  /** Say something, and wait for what answers it. */
  ask(type: string, facts: Record<string, unknown> = {}): Promise<Reply> {
    const id = this.next++
    return new Promise((done) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return done({ type: 'error', why: 'lost' })
      this.asked.set(id, done)
      this.socket.send(JSON.stringify({ type, id, ...facts }))
    })
  }

  /** Nobody measures now. */
  get mayNotMeasure(): boolean {
    return this.info?.measuring?.open === false && !this.over
  }

  /** No length may be known that this question is about. */
  blind(decision: Decision | null): boolean {
    return this.mayNotMeasure && !decision?.measured
  }

  private here(answer: unknown): Record<string, unknown> {
    return { number: this.number, epoch: this.epoch, answer, side: this.side }
  }

  answer(answer: unknown): Promise<Reply> {
    return this.say('answer', this.here(answer))
  }

  /** Answer what is asked: what comes of it is not what others do. */
  private async say(type: string, facts: Record<string, unknown>): Promise<Reply> {
    const sent = (this.sent = this.number + 1)
    const told = await this.ask(type, facts)
    if (told.type !== 'ack' && this.sent === sent) this.sent = 0
    return told
  }

  /** Let the question pass that is asked, and whenever it is asked again. */
  passAlways(ask: string): Promise<Reply> {
    return this.say('pass', { ask, always: true, number: this.number, epoch: this.epoch, side: this.side })
  }

  /** Be asked again. */
  askAgain(one: LetPass): Promise<Reply> {
    return this.ask('pass', { ask: one.ask, side: one.side, always: false })
  }

  try(answer: unknown): Promise<Reply> {
    return this.ask('try', this.here(answer))
  }

  /** Ask for what is thought about; while something like it is, again, until nobody wants it any more. */
  async patiently(type: string, facts: Record<string, unknown>, gone: () => boolean): Promise<Reply> {
    let told = await this.ask(type, facts)
    while (told.why === 'busy' && !gone()) {
      await new Promise((done) => setTimeout(done, 150))
      told = await this.ask(type, facts)
    }
    return told
  }

  speak(lang: Lang): void {
    if (lang === this.lang) return
    this.lang = lang
    void this.ask('lang', { lang })
  }
}

// A seat at a table: what the server has told, and how to answer it. It comes back by itself when the line breaks.

import type { Changes, Clock, Decision, Hello, Keyed, LetPass, Line, Note, Present, SaidLine, Scene, Wish } from './messages'
import type { Lang, Named } from './words'

export type { Card, Changes, Coherency, Cost, Decision, Figure, FurtherSeed, Group, Guide, Hint, LetPass, Line, Marker, Objective, Option, Pile, PoolShown as Pool, Refusal, Result, Scene, Span, Throw, Unit, Way } from './messages'

/** The middle of a block, and which way it looks: against the clock from up the table. */
export interface Pose {
  x: number
  y: number
  facing: number
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
/** A seat's battle: what does not change from answer to answer. */
export type Info = Omit<Hello, 'scene' | 'log' | 'decision'>

/** The new scene from the old one and what has changed. */
export function applied(old: Scene, told: Changes): Scene {
  const made = { ...old, ...told.set } as Scene
  for (const key of ['units', 'markers', 'objectives'] as const) {
    const change = told[key] as (Omit<Keyed, 'changed'> & { changed: { id: string }[] }) | undefined
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
  undo = $state.raw<Wish | null>(null)
  passes = $state.raw<LetPass[]>([])
  over = $state(false)
  /** Who is there, and what was said. */
  present = $state.raw<Present | null>(null)
  talk = $state.raw<SaidLine[]>([])
  /** How the clocks stood when it was last told, and when that was; what was asked for or agreed on last. */
  clock = $state.raw<(Clock & { at: number }) | null>(null)
  note = $state.raw<Note | null>(null)
  /** Somebody would like to play again: who, and whether everybody changes sides. */
  rematch = $state.raw<{ by: number; swap: boolean } | null>(null)
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
        if (this.info && told.armies && JSON.stringify(told.armies) !== JSON.stringify(this.info.armies)) this.info = { ...this.info, armies: told.armies }
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
    if (told.type === 'present') this.present = told as unknown as Present
    if (told.type === 'said') this.talk = [...this.talk.filter((line) => line.number < told.lines[0].number), ...told.lines].slice(-200)
    if (told.type === 'clock') this.clock = { ...(told as unknown as Clock), at: Date.now() }
    if (told.type === 'note') this.note = told as unknown as Note
    if (told.type === 'rematch') this.rematch = { by: told.by, swap: told.swap }
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

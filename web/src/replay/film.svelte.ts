// A battle that can be looked at again: every scene, the log, and the moment one looks at.

import { signs } from '../drawing/signs.svelte'
import { applied, type Changes, type FurtherSeed, type Line, type Result, type Scene } from '../wire.svelte'
import type { Named } from '../words'
import { Reel } from './reel.svelte'

/** A moment at which the battle turned: after which answer, for whom, and the chances before and then. */
export interface Turned {
  answer: number
  side: number
  before: number
  after: number
}

export interface Told {
  id: string
  game: string
  title: string
  measure: string
  armies: (Named | null)[]
  players: { side: number; bot: string | null }[]
  over: boolean
  number: number
  log: Line[]
  scene: Scene
  changes: Changes[]
  seed_hash?: string
  further_seeds?: FurtherSeed[]
  seed?: string
  salt?: string
  open?: boolean
  measuring?: { open: boolean; rule: string }
  result?: Result
  you?: { sides: number[]; spectator: boolean }
  /** The chances of each side to win, before the first answer and after each, where everything may be known. */
  chances?: number[][]
  turns?: Turned[]
  /** The modes in which this seat may play on from a moment. */
  branch?: string[]
}

export interface Marks {
  rounds: { n: number; round: number }[]
  deeds: { n: number; side: number | null; text: string }[]
}

/** Where rounds begin and what is worth a stop: the headlines of the log. */
export function marksOf(log: Line[]): Marks {
  const rounds: Marks['rounds'] = []
  const deeds: Marks['deeds'] = []
  for (const line of log) {
    if (!line.head) continue
    const round = line.event.round ?? line.event.turn
    if (typeof round === 'number' && round > (rounds.at(-1)?.round ?? 0)) rounds.push({ n: line.n, round })
    const side = typeof line.event.side === 'number' ? line.event.side : line.words.find((span) => span.side !== undefined)?.side
    deeds.push({ n: line.n, side: side ?? null, text: line.words.map((span) => span.text).join('') })
  }
  return { rounds, deeds }
}

export const SPEEDS = [0.5, 1, 2, 4]

export class Film extends Reel {
  readonly scenes: Scene[]
  readonly log: Line[]
  readonly marks: Marks

  constructor(
    readonly told: Told,
    readonly lang: string,
  ) {
    super()
    this.scenes = [told.scene]
    for (const change of told.changes) this.scenes.push(applied(this.scenes[this.scenes.length - 1], change))
    this.log = told.log
    this.marks = marksOf(told.log)
    this.frame = this.last
  }

  get last(): number {
    return this.scenes.length - 1
  }

  get scene(): Scene {
    return this.scenes[this.frame]
  }

  /** The next headline in this direction, or the end. */
  stop(direction: 1 | -1): void {
    const places = this.marks.deeds.map((deed) => deed.n)
    this.jump(direction > 0 ? (places.find((n) => n > this.frame) ?? this.last) : (places.findLast((n) => n < this.frame) ?? 0))
  }

  toggle(): void {
    if (!this.playing && this.frame === this.last) this.frame = 0
    this.playing = !this.playing
  }

  /** A key that is for the film; whether it was. */
  press(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement
    const acts: Record<string, () => void> = {
      ' ': () => this.toggle(),
      ArrowLeft: () => this.jump(this.frame - 1),
      ArrowRight: () => this.jump(this.frame + 1),
      ArrowUp: () => this.stop(-1),
      ArrowDown: () => this.stop(1),
      Home: () => this.jump(0),
      End: () => this.jump(this.last),
    }
    const act = acts[event.key]
    const typing = /^(SELECT|TEXTAREA)$/.test(target.tagName) || (target.tagName === 'INPUT' && (target as HTMLInputElement).type !== 'range')
    if (!act || typing || event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === ' ' && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return false
    event.preventDefault()
    act()
    return true
  }
}

/** The replay as the server tells it to this seat; null where there is none. */
export async function fetchFilm(id: string, secret: string, lang: string): Promise<Film | null> {
  const query = new URLSearchParams({ seat: secret, scenes: '1', lang })
  const response = await fetch(`/api/battles/${encodeURIComponent(id)}/replay?${query}`)
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`replay: ${response.status}`)
  const told = (await response.json()) as Told
  await signs.load(told.game)
  return new Film(told, lang)
}

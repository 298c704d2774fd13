// The campaigns somebody plays in, remembered by the browser, and how one stands, as the server tells it.

import type { Others } from '../seats'
import type { Decision, Line, Refusal } from '../wire.svelte'

export interface Bookmark {
  id: string
  path: string
  title: string
  when: number
  others?: Others
}
export interface Entry {
  id: string
  name: string
  numbers: (string | number)[]
  rules: string[]
  gains: string[]
  holds: string[]
  fate: string
  state: string
  look: string
}
export interface Band {
  name: string
  facts: [string, string][]
  columns: { name: string; long: string; pips: boolean }[]
  members: Entry[]
  possessions: string[]
}
export interface Standing {
  id: string
  game: string
  title: string
  mode: string
  players: { side: number; bot: string | null }[]
  you: { sides: number[]; spectator: boolean }
  side: number
  battles: number
  number: number
  stage: 'camp' | 'battle' | 'over'
  due: string
  ready: boolean[]
  score: number[]
  score_name: string
  over: boolean
  winners?: number[]
  fought: { battle: string; number: number; title: string; winners: number[]; score: number[] }[]
  battle: string | null
  bands: (Band | null)[]
  log: Line[]
  decision: Decision | null
  asked: number | null
  answers: number
  seed_hash: string
  seed?: string
}
export interface Problem {
  what: string
  where?: string
  hint?: string
  rule?: string
}
/** What came of a request: how the campaign stands, or why not. */
export interface Reply {
  status: number
  standing?: Standing
  refusal?: Refusal
  problems?: Problem[]
}

const KEY = 'oriflamme.campaigns'

class Book {
  marks = $state.raw<Bookmark[]>(this.read())

  private read(): Bookmark[] {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Bookmark[]
    } catch {
      return []
    }
  }

  private write(marks: Bookmark[]): void {
    this.marks = marks
    try {
      localStorage.setItem(KEY, JSON.stringify(marks))
    } catch {
      // A browser that keeps nothing: the page works all the same.
    }
  }

  keep(mark: Bookmark): void {
    const known = this.marks.find((m) => m.id === mark.id)
    this.write([{ ...known, ...mark }, ...this.marks.filter((m) => m.id !== mark.id)].slice(0, 20))
  }

  forget(id: string): void {
    this.write(this.marks.filter((m) => m.id !== id))
  }
}

export const book = new Book()

export async function ask(path: string, body?: unknown): Promise<Reply> {
  try {
    const how = body === undefined ? undefined : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(path, how)
    const told = await response.json()
    return { status: response.status, ...(response.ok ? { standing: told } : { refusal: told.refusal, problems: told.problems }) }
  } catch {
    return { status: 0 }
  }
}

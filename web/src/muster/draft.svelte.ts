// A list in the making. The server says what may be picked, what it costs and what is wrong; this keeps the draft,
// its last states for undo, and the place in the browser's memory.

import { page } from '../page.svelte'
import type { Named } from '../words'
import { kept, newId } from './kept.svelte'

export interface Weapon {
  name: Named
  count: number
  about: string
  rules: string[]
}
export interface Spell {
  name: Named
  cost: number
  about: Named
  rules: string[]
}
export interface Unit {
  name: Named
  kind: string
  look?: string
  stats: Record<string, string>
  rules: string[]
  weapons: Weapon[]
  spells: Spell[]
}
export interface Choice {
  id: string
  name: Named
  cost: number
  models: number
  all: boolean
  group: string
  rules: string[]
  weapons: Weapon[]
  replaces: Named
  /** What else it does, in words. */
  about?: Named
}
export interface Offer extends Unit {
  id: string
  cost: number
  figures: number
  combine: boolean
  joins: boolean
  options: Choice[]
  /** How many there may be of what it is made of, where that is the player's choice. */
  count?: [number, number]
  /** Others follow it: it begins a group, and those after it belong to it. */
  leads?: boolean
  follows?: { mainstay: Named[]; restricted: Named[] }
}
export interface Field {
  key: string
  kind: 'text' | 'number' | 'choice' | 'rules' | 'rows'
  name: Named
  low?: number
  high?: number
  suffix?: string
  none?: Named
  choices?: string[]
  fields?: Field[]
  /** What a row begins with. */
  first?: Profile
}
export interface Special {
  name: Named
  text: Named
  rule: string
  takes: number[]
  words?: string[]
}
/** What a faction has besides its units. */
export interface Note {
  title: Named
  rows: { name: Named; text: Named }[]
}
export interface Offers {
  title: Named
  factions: { id: string; name: Named; story: Named; units: Offer[]; notes?: Note[] }[]
  /** The house rules that matter for a list. */
  options: string[]
  one_faction: boolean
  counted: number
  points: number[]
  stats: { key: string; short: string; name: Named }[]
  groups: Record<string, Named>
  kinds: Record<string, Named>
  glossary: Record<string, Special>
  words: Record<string, Named>
  imports: Named
  form: { first: Profile; note: Named; formula: Named; fields: Field[] }
}
export type Profile = Record<string, unknown>
export interface Pick {
  option: string
  models?: number
  half?: number
}
export interface Entry {
  unit: string
  name?: string
  count?: number
  picks?: Pick[]
  combined?: boolean
  joins?: number
  whole?: unknown
}
export interface Draft {
  name?: string
  points?: number
  faction?: string
  entries?: Entry[]
  custom?: Profile[]
  /** Of units from another list builder its points count, where they are known. */
  printed?: boolean
}
export interface Problem {
  where: string
  what: string
  rule: string | null
  hint: string | null
  entry?: number | null
  words?: Record<string, { what: string; hint: string | null }>
}
export interface Priced {
  id: string
  cost: number | null
  parts: { name: Named; value: number; sum?: boolean }[]
  unit: Offer | null
  problems: Problem[]
}
export interface ToldEntry {
  asked: string
  unit: Unit | null
  cost: number
  figures: number
  picks: Named[]
  joins: number
  may_join?: number[]
  /** What options cost now, where that depends on its size. */
  costs?: Record<string, number>
  /** What the list builder asks for it that it comes from. */
  printed?: number
}
export interface Told {
  name: string
  faction: Named
  points: number
  cost: number
  models: number
  limits: { key: string; name: Named; used: number; most: number; rule: string }[]
  entries: ToldEntry[]
  problems: Problem[]
  custom: Priced[]
  list: unknown
}

const FAR_BACK = 60

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function ask(path: string, body?: unknown): Promise<{ ok: boolean; told: any }> {
  const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(path, how)
  return { ok: response.ok, told: await response.json() }
}

export class Muster {
  game = $state('')
  offers = $state.raw<Offers | null>(null)
  id = $state('')
  draft = $state.raw<Draft>({})
  agreed = $state.raw<Record<string, string>>({})
  told = $state.raw<Told | null>(null)
  notes = $state.raw<Named[]>([])
  wrong = $state.raw<Problem[]>([])
  lost = $state(false)
  back = $state.raw<Draft[]>([])
  private asked = 0

  readonly entries = $derived(this.draft.entries ?? [])
  readonly custom = $derived(this.draft.custom ?? [])
  /** Everything that can be picked, by its id; units of one's own among them. */
  readonly units = $derived.by(() => {
    const found: Record<string, Offer> = {}
    for (const faction of this.offers?.factions ?? []) {
      if (this.offers?.one_faction && faction.id !== this.draft.faction) continue
      for (const unit of faction.units) found[unit.id] = unit
    }
    for (const one of this.told?.custom ?? []) if (one.unit) found[one.unit.id] = one.unit
    return found
  })

  /** Look at a game; an unfinished list of it that was open last is opened again. */
  async choose(game: string): Promise<void> {
    if (game === this.game && this.offers) return
    this.game = game
    this.offers = null
    this.told = null
    const { ok, told } = await ask(`/api/muster/${game}`)
    if (this.game !== game) return
    if (!ok) {
      this.wrong = told.problems ?? []
      return
    }
    this.wrong = []
    this.offers = told
  }

  fresh(): void {
    const points = this.offers?.points[1] ?? 0
    this.begin({ points, ...(this.offers?.one_faction ? { faction: this.draft.faction || this.offers.factions[0]?.id } : {}) })
  }

  /** Begin with this draft, as a list of its own. */
  begin(draft: Draft, id = newId(), notes: Named[] = [], agreed: Record<string, string> = {}): void {
    this.id = id
    this.agreed = agreed
    this.back = []
    this.notes = notes
    this.wrong = []
    this.told = null
    this.draft = draft
    void this.check()
  }

  /** Make a change that can be undone. */
  change(to: Partial<Draft>): void {
    this.back = [...this.back, this.draft].slice(-FAR_BACK)
    this.draft = { ...this.draft, ...to }
    void this.check()
  }

  /** Agree on a house rule, or on what is usual. */
  agree(key: string, value: string, usual: string): void {
    const { [key]: _, ...rest } = this.agreed
    this.agreed = value === usual ? rest : { ...rest, [key]: value }
    void this.check()
  }

  undo(): void {
    const before = this.back.at(-1)
    if (!before) return
    this.back = this.back.slice(0, -1)
    this.draft = before
    void this.check()
  }

  entry(at: number, to: Partial<Entry>): void {
    this.change({ entries: this.entries.map((one, n) => (n === at ? { ...one, ...to } : one)) })
  }

  add(unit: string): void {
    const at = this.entries.findIndex((one) => one.unit === unit && !one.name && (one.count ?? 1) < (this.offers?.counted ?? 1))
    if (at >= 0) this.entry(at, { count: (this.entries[at].count ?? 1) + 1 })
    else this.change({ entries: [...this.entries, { unit, ...(this.units[unit]?.count ? { count: this.units[unit].count![0] } : {}) }] })
  }

  /** Put entries into another order; `from[n]` is where the n-th was. Who goes with whom stays true. */
  private arrange(from: number[]): void {
    const place = (old: number | undefined) => (old ? from.indexOf(old - 1) + 1 : 0)
    this.change({ entries: from.map((n) => ({ ...this.entries[n], joins: place(this.entries[n].joins) })) })
  }

  take(at: number): void {
    this.arrange(this.entries.map((_, n) => n).filter((n) => n !== at))
  }

  /** Where the group of an entry ends: who leads takes along those who follow. */
  private end(at: number): number {
    if (!this.units[this.entries[at]?.unit]?.leads) return at + 1
    const next = this.entries.findIndex((one, n) => n > at && this.units[one.unit]?.leads)
    return next < 0 ? this.entries.length : next
  }

  shift(at: number, by: number): void {
    const order = this.entries.map((_, n) => n)
    const end = this.end(at)
    let to = at - 1
    if (by > 0) to = end < order.length ? this.end(end) : -1
    else while (to > 0 && this.units[this.entries[at].unit]?.leads && !this.units[this.entries[to].unit]?.leads) to--
    if (to < 0) return
    const held = order.splice(at, end - at)
    order.splice(by > 0 ? to - held.length : to, 0, ...held)
    this.arrange(order)
  }

  double(at: number): void {
    const order = this.entries.flatMap((_, n) => (n === at ? [n, n] : [n]))
    const place = (old: number | undefined) => (old ? order.indexOf(old - 1) + 1 : 0)
    this.change({
      entries: order.map((n, k) => ({ ...this.entries[n], joins: k === at + 1 ? 0 : place(this.entries[n].joins) })),
    })
  }

  /** Take an upgrade or put it back. What all models have, both halves of a combined unit have. */
  pick(at: number, choice: Choice, half: number, models: number | null): void {
    const one = this.entries[at]
    const halves = choice.all && one.combined ? [1, 2] : [half]
    const rest = (one.picks ?? []).filter((p) => p.option !== choice.id || !halves.includes(p.half ?? 1))
    const taken = models === null ? [] : halves.map((h) => ({ option: choice.id, half: h, models: choice.all || models === choice.models ? 0 : models }))
    this.entry(at, { picks: [...rest, ...taken] })
  }

  combine(at: number, combined: boolean): void {
    const one = this.entries[at]
    const first = (one.picks ?? []).filter((p) => (p.half ?? 1) === 1)
    const all = first.filter((p) => this.units[one.unit]?.options.find((o) => o.id === p.option)?.all)
    this.entry(at, { combined, picks: combined ? [...first, ...all.map((p) => ({ ...p, half: 2 }))] : first })
  }

  /** What it costs and what is wrong with it. Only the answer to the last question counts. */
  async check(): Promise<void> {
    const asked = ++this.asked
    const { game, draft, agreed } = this
    try {
      const { ok, told } = await ask(`/api/muster/${game}/draft`, { draft, options: agreed })
      if (asked !== this.asked) return
      this.lost = false
      if (!ok) {
        this.wrong = told.problems ?? []
        return
      }
      this.wrong = []
      this.told = told
      this.keep(JSON.stringify(told.list), told.cost, told.problems.length === 0)
    } catch {
      if (asked !== this.asked) return
      this.lost = true
      this.keep('', 0, false)
    }
  }

  /** Remember the list in this browser, once there is something to remember. */
  private keep(text: string, cost: number, legal: boolean): void {
    const { game, id, draft, agreed } = this
    const used = (draft.entries?.length ?? 0) > 0 || draft.name || draft.custom?.length
    if (!used && !kept.lists.some((one) => one.id === id)) return
    kept.put({ id, game, draft, agreed, text, name: draft.name ?? '', points: draft.points ?? 0, cost, legal, when: Date.now() })
  }

  /** Read a list from a text; what is wrong with it is told, and the list at hand stays. */
  async bring(text: string): Promise<boolean> {
    return this.read({ text })
  }

  /** The same from a roster file of another program, packed. */
  async bringRoster(packed: string): Promise<boolean> {
    return this.read({ packed })
  }

  async start(ready: string): Promise<boolean> {
    return this.read({ ready, lang: page.lang })
  }

  private async read(body: object): Promise<boolean> {
    try {
      const { ok, told } = await ask(`/api/muster/${this.game}/import`, { ...body, options: this.agreed })
      if (ok) this.begin(told.draft, newId(), told.notes, this.agreed)
      else this.wrong = told.problems ?? []
      return ok
    } catch {
      this.lost = true
      return false
    }
  }
}

// What lies on the table of an analysis: the scene, as a case has it; what was done to it; and what the server says of it.

import type { Point } from '../drawing/geometry'
import { page } from '../page.svelte'
import type { Decision, Line, Odds, Reason, Refusal, Scene, Span, Unit } from '../wire.svelte'
import type { Named } from '../words'

export type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
export type Keys = Record<string, Value>
export interface Laid {
  given: Record<string, Keys>
  table: Keys & { pieces?: Keys[] }
  battle: Keys
  options?: Keys
}
export interface Field {
  key: string
  kind: 'flag' | 'choice' | 'number' | 'words' | 'text' | 'free'
  choices: string[]
  default: string
  words: Named
}
export interface DeskInfo {
  game: string
  measure: string
  size: [number, number]
  sides: number
  places: string[]
  unit: Field[]
  battle: Field[]
  terrain: { kind: string; height: number; traits: string[] }[]
  traits: string[]
  armies: { id: string; name: Named }[]
}
export interface Offered {
  id: string
  name: Named
  given: Keys
}
export interface Problem {
  where: string
  what: string
  rule: string | null
  hint: string | null
}
export interface Asked extends Decision {
  suggestion: unknown
}
export interface Position {
  scene: Scene
  measure: string
  over: boolean
  asked: Asked[]
  log: Line[]
  dice: number[]
  cannot?: { deed: string; refusal: Refusal }[]
  odds?: Odds | null
  advice?: { bot: string; answer: unknown; words: Span[][]; because: Reason[] }
}
interface Found {
  game: string
  title: string
  scene: Partial<Laid>
}
export interface Opened {
  scenes?: Found[]
  map?: Keys
  game?: string
  scene?: Partial<Laid>
  left_out?: string[]
  number?: number
  answers?: number
}

const MM: Record<string, number> = { in: 25.4, cm: 10, mm: 1 }
const MOST_STEPS = 200
const blank = (): Laid => ({ given: {}, table: { pieces: [] }, battle: {} })
const tidy = (n: number) => Math.round(n * 1000) / 1000

/** A piece or a unit that is in hand: where the table is touched next, it is put down. */
export type Hand = { unit: string } | { piece: number } | { corners: Point[]; kind: string } | null

export class Desk {
  game = $state('')
  info = $state.raw<DeskInfo | null>(null)
  laid = $state.raw<Laid>(blank())
  private past = $state.raw<Laid[]>([])
  private future = $state.raw<Laid[]>([])
  /** The table as it is laid; kept while a change to it is being looked at. */
  scene = $state.raw<Scene | null>(null)
  problems = $state.raw<Problem[]>([])
  /** They are of the scene itself, not of what was asked about it. */
  unlaid = $state(false)
  leftOut = $state.raw<string[]>([])
  /** The unit that is chosen. */
  chosen = $state('')
  piece = $state(-1)
  hand = $state.raw<Hand>(null)
  /** What was asked: with whom it began, what was answered since, and how things stand. */
  acts = $state('')
  answers = $state.raw<[number, unknown][]>([])
  position = $state.raw<Position | null>(null)
  attack = $state.raw<Record<string, unknown> | null>(null)
  refused = $state.raw<Refusal | null>(null)
  busy = $state(false)
  note = $state('')
  private looked = 0

  get unit(): number {
    return MM[this.info?.measure ?? 'in']
  }

  get shown(): Scene | null {
    return this.position?.scene ?? this.scene
  }

  get canUndo(): boolean {
    return this.past.length > 0
  }

  get canRedo(): boolean {
    return this.future.length > 0
  }

  // -- talking to the server

  async call<T>(path: string, data?: unknown): Promise<T | null> {
    const how = data === undefined ? undefined : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) }
    const response = await fetch(`${path}${path.includes('?') ? '&' : '?'}lang=${page.lang}`, how).catch(() => null)
    const told = response ? await response.json().catch(() => null) : null
    if (response?.ok && told) return told as T
    this.problems = (told as { problems?: Problem[] } | null)?.problems ?? [{ where: '', what: '', rule: null, hint: null }]
    return null
  }

  async begin(game: string, laid: Partial<Laid> = {}): Promise<void> {
    if (game !== this.info?.game) {
      this.info = null
      this.scene = null
      const info = await this.call<DeskInfo>(`/api/analysis/${encodeURIComponent(game)}`)
      if (!info) return
      this.info = info
    }
    this.game = game
    this.past = []
    this.future = []
    this.chosen = ''
    this.piece = -1
    this.hand = null
    this.leftOut = []
    this.set({ ...blank(), ...laid })
  }

  private set(laid: Laid): void {
    this.laid = laid
    this.forget()
    if (this.chosen && !(this.chosen in laid.given)) this.chosen = ''
    void this.look()
  }

  /** What was asked is of a table that is no more. */
  forget(): void {
    this.position = null
    this.answers = []
    this.attack = null
    this.refused = null
    this.note = ''
  }

  /** Lay the scene, and see what it looks like, or what is wrong with it. */
  async look(): Promise<void> {
    const number = ++this.looked
    const told = await this.call<{ scene: Scene }>(`/api/analysis/${this.game}/look`, { scene: this.laid })
    if (number !== this.looked) return
    this.unlaid = told === null
    if (!told) return
    this.scene = told.scene
    this.problems = []
  }

  // -- changing the scene

  change(laid: Laid): void {
    this.past = [...this.past, this.laid].slice(-MOST_STEPS)
    this.future = []
    this.set(laid)
  }

  undo(): void {
    const last = this.past.at(-1)
    if (!last) return
    this.future = [this.laid, ...this.future]
    this.past = this.past.slice(0, -1)
    this.set(last)
  }

  redo(): void {
    const next = this.future[0]
    if (!next) return
    this.past = [...this.past, this.laid]
    this.future = this.future.slice(1)
    this.set(next)
  }

  /** A name that nothing in the scene has yet. */
  private free(name: string): string {
    const plain = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'unit'
    for (let n = 1; ; n++) {
      const id = n === 1 ? plain : `${plain}_${n}`
      if (!(id in this.laid.given)) return id
    }
  }

  add(name: string, keys: Keys, side: number): void {
    const id = this.free(name)
    const [wide, deep] = this.size
    const place: Keys = this.single(keys) || this.has('places') || this.has('at') ? { at: this.spare([wide / 2, side === 1 ? deep / 4 : (deep * 3) / 4]) } : {}
    this.change({ ...this.laid, given: { ...this.laid.given, [id]: { ...keys, side, ...place } } })
    this.chosen = id
    this.hand = { unit: id }
  }

  /** A place near this one where nobody was put. */
  private spare([x, y]: Point): Point {
    const taken = Object.values(this.laid.given).map((unit) => unit.at).filter(Array.isArray) as Point[]
    const step = 170 / this.unit
    for (let n = 0; n < 40; n++) {
      const at: Point = [x + step * Math.ceil(n / 2) * (n % 2 ? 1 : -1), y]
      if (at[0] > 0 && at[0] < this.size[0] && taken.every((one) => Math.abs(one[0] - at[0]) > step / 2 || Math.abs(one[1] - at[1]) > step / 2)) return [tidy(at[0]), tidy(at[1])]
    }
    return [tidy(x), tidy(y)]
  }

  has(key: string): boolean {
    return this.info?.places.includes(key) ?? false
  }

  private single(keys: Keys): boolean {
    return !('figures' in keys)
  }

  get size(): [number, number] {
    const size = this.laid.table.size
    if (Array.isArray(size)) return size as [number, number]
    return this.scene ? [this.scene.table.width / this.unit, this.scene.table.depth / this.unit] : (this.info?.size ?? [48, 48])
  }

  remove(id: string): void {
    const given = { ...this.laid.given }
    delete given[id]
    this.change({ ...this.laid, given })
  }

  double(id: string): void {
    const { at: _, places: __, ...rest } = this.laid.given[id]
    this.add(id.replace(/_\d+$/, ''), rest, Number(rest.side ?? 1))
  }

  /** Set keys of a unit; null takes one away. */
  tell(id: string, keys: Keys): void {
    const unit: Keys = { ...this.laid.given[id], ...keys }
    for (const key of Object.keys(keys)) if (keys[key] === null) delete unit[key]
    this.change({ ...this.laid, given: { ...this.laid.given, [id]: unit } })
  }

  /** Set keys of the situation. */
  say(keys: Keys): void {
    const battle: Keys = { ...this.laid.battle, ...keys }
    for (const key of Object.keys(keys)) if (keys[key] === null) delete battle[key]
    this.change({ ...this.laid, battle })
  }

  standing(id: string): Unit | undefined {
    return this.scene?.units.find((unit) => unit.id === id)
  }

  /** Where a unit is: its block, or the middle of its figures, in the game's measure. */
  middle(id: string): Point | null {
    const unit = this.standing(id)
    if (!unit || !unit.figures.length) return null
    const at: Point = unit.block
      ? [unit.block.x, unit.block.y]
      : ([0, 1].map((i) => unit.figures.reduce((sum, f) => sum + (i ? f.y : f.x), 0) / unit.figures.length) as Point)
    return [tidy(at[0] / this.unit), tidy(at[1] / this.unit)]
  }

  /** Put a unit so that its middle is here, its figures as they stand to one another. */
  put(id: string, [x, y]: Point): void {
    const unit = this.standing(id)
    const old = this.middle(id)
    if (!unit || !old || unit.reserve !== null || unit.figures.length < 2 || unit.block || !this.has('places')) {
      this.tell(id, { at: [tidy(x), tidy(y)], places: null, ...(unit?.reserve ? this.fetched(id) : {}) })
      return
    }
    this.spread(id, Object.fromEntries(unit.figures.map((f) => [f.id, [f.x / this.unit + x - old[0], f.y / this.unit + y - old[1]] as Point])))
  }

  /** What keeps a unit off the table is taken away. */
  private fetched(id: string): Keys {
    return 'reserve' in this.laid.given[id] ? { reserve: null } : {}
  }

  /** Put every figure of a unit somewhere. */
  spread(id: string, spots: Record<string, Point>): void {
    const unit = this.standing(id)
    if (!unit) return
    const at = unit.figures.map((f) => (spots[f.id] ?? [f.x / this.unit, f.y / this.unit]).map(tidy))
    const keys: Keys = unit.figures.length > 1 && this.has('places') ? { places: at, at: null, ranks: null, spacing: null } : { at: at[0] }
    this.tell(id, keys)
  }

  turn(id: string, degrees: number): void {
    const unit = this.standing(id)
    const now = Number(this.laid.given[id].facing ?? ((unit?.block?.facing ?? 0) * 180) / Math.PI)
    const middle = this.middle(id)
    this.tell(id, { facing: tidy((((now + degrees) % 360) + 360) % 360), ...(middle ? { at: middle } : {}) })
  }

  // -- terrain

  get pieces(): Keys[] {
    return this.laid.table.pieces ?? []
  }

  private lay(pieces: Keys[], more: Keys = {}): void {
    this.change({ ...this.laid, table: { ...this.laid.table, ...more, pieces } })
  }

  addPiece(piece: Keys): void {
    this.lay([...this.pieces, piece])
    this.piece = this.pieces.length - 1
    if ('at' in piece) this.hand = { piece: this.piece }
  }

  /** Set keys of a piece; null takes one away. */
  shape(number: number, keys: Keys): void {
    const piece: Keys = { ...this.pieces[number], ...keys }
    for (const key of Object.keys(keys)) if (keys[key] === null) delete piece[key]
    this.lay(this.pieces.map((one, n) => (n === number ? piece : one)))
  }

  removePiece(number: number): void {
    this.lay(this.pieces.filter((_, n) => n !== number))
    this.piece = -1
  }

  resize(size: [number, number]): void {
    this.lay(this.pieces, { size })
  }

  takeTable(table: Keys): void {
    this.change({ ...this.laid, table: table as Laid['table'] })
  }

  /** The table was touched, in millimetres. */
  touch([mx, my]: Point): void {
    const at: Point = [tidy(mx / this.unit), tidy(my / this.unit)]
    const hand = this.hand
    if (!hand) return
    if ('corners' in hand) {
      this.hand = { ...hand, corners: [...hand.corners, at] }
      return
    }
    this.hand = null
    if ('unit' in hand) this.put(hand.unit, at)
    else this.shape(hand.piece, { at })
  }

  closeShape(): void {
    if (!this.hand || !('corners' in this.hand)) return
    const { corners, kind } = this.hand
    this.hand = null
    if (corners.length > 2) this.addPiece({ kind, outline: corners })
  }

  // -- asking

  private wanted(more: Record<string, unknown> = {}): Record<string, unknown> {
    return { scene: this.laid, acts: this.acts, answers: this.answers, ...more }
  }

  /** Ask what comes next, with this unit first if one is named. */
  async ask(acts: string, advice = false): Promise<void> {
    if (acts !== this.acts) this.answers = []
    this.acts = acts
    await this.see(advice)
  }

  private async see(advice = false): Promise<boolean> {
    this.busy = true
    this.attack = null
    this.refused = null
    const told = await this.call<Position>(`/api/analysis/${this.game}/ask`, this.wanted({ unit: this.chosen, advice }))
    this.busy = false
    if (told) {
      this.position = told
      this.problems = []
    }
    return told !== null
  }

  async advise(): Promise<void> {
    if (!this.position) this.acts = this.chosen
    await this.see(true)
  }

  async answer(side: number, answer: unknown): Promise<void> {
    const before = this.answers
    this.answers = [...before, [side, answer]]
    if (!(await this.see())) this.answers = before
  }

  async back(all = false): Promise<void> {
    this.answers = all ? [] : this.answers.slice(0, -1)
    await this.see()
  }

  async count(attacker: string, defender: string, charge: boolean): Promise<void> {
    this.busy = true
    this.attack = this.refused = null
    const told = await this.call<{ odds?: Record<string, unknown>; refusal?: Refusal }>(`/api/analysis/${this.game}/odds`, this.wanted({ attacker, defender, charge }))
    this.busy = false
    if (!told) return
    this.problems = []
    this.attack = told.odds ?? null
    this.refused = told.refusal ?? null
  }

  // -- going on, and keeping

  async playOn(mode: 'hotseat' | 'bot'): Promise<void> {
    const side = mode === 'bot' && this.chosen ? Number(this.laid.given[this.chosen].side ?? 1) - 1 : 0
    const made = await this.call<{ seats: { link: string }[] }>(`/api/analysis/${this.game}/battle`, { ...this.wanted(), answers: [], mode, side })
    if (made) page.go(made.seats[0].link)
  }

  caseText(title: string): Promise<{ text: string; file: string } | null> {
    return this.call(`/api/analysis/${this.game}/case`, this.wanted({ title }))
  }

  mapText(name: string): Promise<{ text: string; file: string; fits: boolean } | null> {
    return this.call(`/api/analysis/${this.game}/map`, { table: { ...this.laid.table, size: this.size }, ...(name ? { name: { en: name, fr: name } } : {}) })
  }

  open(text: string, number?: number): Promise<Opened | null> {
    return this.call('/api/scenes', { text, ...(number === undefined ? {} : { number }) })
  }

  async fromBattle(battle: string, seat: string, number: string): Promise<void> {
    const query = new URLSearchParams({ seat, ...(number ? { number } : {}) })
    const told = await this.call<Opened>(`/api/battles/${encodeURIComponent(battle)}/scene?${query}`)
    if (!told?.game || !told.scene) return
    await this.begin(told.game, told.scene)
    this.leftOut = told.left_out ?? []
  }
}

// Written by `python tools/messages.py` from the structs of the server: what clients say, what they are sent.

import type { Base } from './drawing/geometry'
import type { TableData } from './drawing/terrain'
import type { Named } from './words'

// -- what clients say

/** Answer the question put after `number` answers. `side` matters only where one seat plays for several sides. */
export interface GiveAnswer {
  type: 'answer'
  number: number
  answer: unknown
  epoch?: number
  side?: number | null
  id?: number | string | null
}

/** Would this be accepted? Nothing is done. */
export interface Try {
  type: 'try'
  number: number
  answer: unknown
  epoch?: number
  side?: number | null
  id?: number | string | null
}

/** Let the question pass that is asked, and `always` from now on; or be asked again. */
export interface Pass {
  type: 'pass'
  ask: string
  always: boolean
  number?: number
  epoch?: number
  side?: number | null
  id?: number | string | null
}

/** Let the best bot of the game answer for my side until the first round begins. */
export interface Deploy {
  type: 'deploy'
  side?: number | null
  id?: number | string | null
}

/** What would a bot answer in my place? `other` counts on through its other ideas. */
export interface Suggest {
  type: 'suggest'
  side?: number | null
  other?: number
  id?: number | string | null
}

/**
 * The odds of one unit against another as things stand; without units, those that help to answer what is asked, or those of an
 * `answer` to it that is in the making.
 */
export interface Odds {
  type: 'odds'
  attacker?: string
  defender?: string
  charge?: boolean
  way?: string
  answer?: unknown
  id?: number | string | null
}

/**
 * What may be drawn to help: reach, zones, coherency for what is asked; `threats`, how far enemies could strike; `option`, what
 * shows that option of the question.
 */
export interface AskAids {
  type: 'aids'
  threats?: boolean
  option?: string
  id?: number | string | null
}

/** How far is it from here to there, and is it seen? */
export interface AskSight {
  type: 'sight'
  from: string | number[]
  to: string | number[]
  id?: number | string | null
}

/** What cannot be done now with that unit, or to it, and why? */
export interface AskWhy {
  type: 'why'
  unit: string
  id?: number | string | null
}

/** What does it mean to drag that unit, or to click an enemy while it acts? */
export interface AskWays {
  type: 'ways'
  unit: string
  id?: number | string | null
}

/** What would I be asked next if I answered so, one key after the other? */
export interface AskAhead {
  type: 'ahead'
  keys: string[]
  id?: number | string | null
}

/** All that my side may know, as a bot takes it to play on, while it is asked something. */
export interface AskSeen {
  type: 'seen'
  side?: number | null
  id?: number | string | null
}

/** All about one unit. */
export interface AskUnit {
  type: 'unit'
  unit: string
  id?: number | string | null
}

/** Take answers back, down to my last one or to `to`. `anyway` asks the others where the rules of undo say no. */
export interface Undo {
  type: 'undo'
  to?: number | null
  anyway?: boolean
  id?: number | string | null
}

/** Answer to somebody who would like to take answers back. */
export interface Consent {
  type: 'consent'
  yes: boolean
  id?: number | string | null
}

/** Ask for a pause, or agree to one; without `yes`, do not agree, or go on after one. */
export interface Pause {
  type: 'pause'
  yes: boolean
  id?: number | string | null
}

/** Claim the win over somebody whose time has run out, where that was agreed on. */
export interface Claim {
  type: 'claim'
  side: number
  id?: number | string | null
}

/** Speak another language from now on. */
export interface Speak {
  type: 'lang'
  lang: 'en' | 'fr'
  id?: number | string | null
}

/** Say something to the others at the table. */
export interface Say {
  type: 'say'
  text: string
  id?: number | string | null
}

/** What I call myself at this table. */
export interface CallMe {
  type: 'name'
  name: string
  id?: number | string | null
}

/** Are you there? */
export interface Ping {
  type: 'ping'
  id?: number | string | null
}

export type Spoken = GiveAnswer | Try | Pass | Deploy | Suggest | Odds | AskAids | AskSight | AskWhy | AskWays | AskAhead | AskSeen | AskUnit | Undo | Consent | Pause | Claim | Speak | Say | CallMe | Ping

// -- what they are sent

/** A board of hexes that stand on a side: how wide they are, and the middle of the first. */
export interface Hexes {
  width: number
  x0: number
  y0: number
}

/** Where a side deploys: a circle, or corners. */
export interface Zone {
  side: number
  circle?: [number, number, number]
  corners?: [number, number][]
}

/** A place to hold: whose it is, and how near one must be. */
export interface Objective {
  id: string
  x: number
  y: number
  owner: number | null
  reach: number
}

/** Something that lies on the table. `holds`: what it hides, for those who know. */
export interface Marker {
  id: string
  kind: string
  x: number
  y: number
  radius: number
  owner: number | null
  holds?: string
}

/** A line that means something to a side. */
export interface Border {
  kind: string
  side: number
  line: [[number, number], [number, number]]
}

/** A part of the table that means something to a side. */
export interface Area {
  kind: string
  side: number
  ring: [number, number][]
}

/** A card, face up. */
export interface Card {
  name: Named
  text: Named
}

/** Cards beside the table, the top one first; what lies face down is null. `shown` was turned up from it. */
export interface Pile {
  side: number
  kind: string
  title: Named
  cards: (Card | null)[]
  shown: Card[]
}

/**
 * A figure: where it stands, and what a glance at it tells. `look` is what it is, where that is not what its unit is; `role` what it
 * is in its unit, where that is more than one of many.
 */
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
  role?: '' | 'character' | 'command' | 'rider'
  look?: string
}

/** A figure that lies where it fell. */
export interface FallenShown {
  id: string
  x: number
  y: number
  radius: number
}

/**
 * How the figures of a unit keep together: each no further than `nearest` from some other, and no further than `farthest` from any;
 * no nearer than `least` to any; and all of them no further than `round_leader` from the `leader`, one of its figures. All between
 * bases; what is left out is not asked for.
 */
export interface Coherency {
  nearest: number
  farthest?: number | null
  least?: number
  leader?: string
  round_leader?: number
}

/** Dice, points or the like that a unit has to spend, of a kind that has a sign: how many are left, and used. */
export interface PoolShown {
  kind: string
  left: number
  used: number
}

/** The rectangle of a unit in ranks and files: its middle, which way it looks, how wide and how deep it is. */
export interface BlockShown {
  x: number
  y: number
  facing: number
  width: number
  depth: number
}

/**
 * A unit. `reserve` says where it waits while it is not on the table, `fate` how it left the game. `block` is the rectangle of one
 * in ranks and files, `inside` the piece of terrain it is in, `start` how many figures it had at first; `coherency` is its own,
 * where units keep together in ways of their own; `pools` are what it has to spend.
 */
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
  fallen: FallenShown[]
  coherency?: Coherency
  pools?: PoolShown[]
  inside?: string
  block?: BlockShown
  start?: number
}

/**
 * All there is to see. `round_word` is what the game's book calls a round, empty for the page's own word; `last_round` is the one in
 * which it ends, 0 if that is not known; `goal` has the `title` of the scenario, its `goal` and what `scores`, or nothing; `winners`
 * are all sides that have won; of the sides those after the first so many `players` are nobody's; `teams` has the alliance of each
 * side, empty if all stand alone; `left` are sides that have conceded. `coherency` is how near figures of a unit keep to the next
 * one, and to all; `contacts` are units that fight hand to hand; `heights` says that it is played with real heights; `closed` are
 * the openings that are closed now; by `night` `lights` are shown.
 */
export interface Scene {
  round: number
  round_word: Named
  last_round: number
  goal: Record<string, Named>
  over: boolean
  winner: number | null
  winners: number[]
  players: number
  teams: number[]
  left: number[]
  score: unknown
  turn: unknown
  table: TableData
  hexes: Hexes | null
  zones: Zone[]
  coherency: [number, number | null] | null
  place_of_power: string | null
  objectives: Objective[]
  markers: Marker[]
  borders: Border[]
  areas: Area[]
  contacts: [string, string][]
  heights: boolean
  closed: string[]
  night: boolean
  lights: [number, number, number][]
  piles: Pile[]
  units: Unit[]
}

/** A piece of a sentence: what it says, what kind of thing that is, the id of what it names, and whose it is. */
export interface Span {
  text: string
  kind?: string
  ref?: string
  side?: number
}

/** An option that is an attack: who strikes whom, by hand or from afar; `way` where there is more than one. */
export interface Strike {
  by: string
  on: string
  charge: boolean
  way?: string
}

/**
 * Something that may be chosen: the key to answer with. `things` are the ids of what it is about: units, figures, tokens, pieces of
 * terrain.
 */
export interface Option {
  key: string
  word: string
  facts: Record<string, unknown>
  things: string[]
  words: Span[]
  strike?: Strike
}

/** Slots with a budget of their own: least and most that all of them hold together. */
export interface Group {
  key: string
  word: string
  facts: Record<string, unknown>
  things: string[]
  slots: string[]
  least: number
  most: number | null
  words: Span[]
}

/** A block that is moved, and its stands: how far to the right of and ahead of its middle, how wide and deep. */
export interface Body {
  width: number
  depth: number
  parts: [number, number, number, number][]
}

/**
 * What guides a hand that moves a block. `stands`: who, how far to the right of and ahead of its middle, how wide and how deep.
 */
export interface Guide {
  stands: [string, number, number, number, number][]
  reach: number
  aside: number
  chord: boolean
  edge: [[number, number, number], [number, number, number]] | null
  poses: [number, number, number][]
}

/**
 * What a first battle says at a question, with the rule to read, and how much of it has been explained; it is `new` if nothing of
 * the kind was asked before.
 */
export interface Hint {
  say: string
  rule: string
  new: boolean
  explained: number
  of: number
}

/**
 * What is asked. `subject` is the unit it is about; `measured` says that it has been measured what it is about, where nobody
 * measures before he has decided; `passing` is the answer that lets it pass, which a player may have given whenever this is asked;
 * `marks` are what a point of a way may say; `draft_odds` says that an answer to it has odds while it is in the making; what a
 * captain would do is `laid` from the start where the game says so.
 */
export interface Decision {
  kind: string
  side: number
  ask: string
  rule: string
  about: Record<string, unknown>
  words: Span[]
  secret: boolean
  subject: string
  measured?: boolean
  options?: Option[]
  besides?: Option[]
  default?: unknown
  passing?: unknown
  least?: number
  most?: number
  slots?: Record<string, number>
  slot_words?: Record<string, Span[]>
  groups?: Group[]
  figures?: string[]
  pointing?: boolean
  marks?: string[]
  laid?: boolean
  blocks?: Record<string, [number, number, number]>
  bodies?: Record<string, Body>
  how?: 'march' | 'place' | 'turn' | 'turn and march'
  guide?: Guide
  draft_odds?: boolean
  hint?: Hint
}

/**
 * Dice as they lie: what each needed (at most, where low is good), and how many of the best did; or the total of an opposed roll;
 * and whose they are, where the line is about others.
 */
export interface Throw {
  faces: number[]
  needed?: number
  good?: number
  total?: number
  side?: number
  low?: boolean
}

/**
 * One event: the answer it came of, its facts, and its words. `luck` is what its dice had to reach: side, kind, dice, successes, how
 * many were expected, and their variance.
 */
export interface Line {
  n: number
  event: Record<string, unknown>
  words: Span[]
  rule: string
  dice?: Throw[]
  head?: boolean
  aside?: boolean
  luck?: [number, string, number, number, number, number][]
}

/** Why not: the rule, the kind of obstacle, its numbers, and words. */
export interface Refusal {
  rule: string
  why: string
  facts: Record<string, unknown>
  words: Span[]
}

/** Of things with ids, those that are as told now, those that are gone, and their order where it is another. */
export interface Keyed {
  changed: unknown[]
  gone: string[]
  order?: string[]
}

/** What to do to the old scene to get the new one: whole entries, and things with ids. */
export interface Changes {
  set: Record<string, unknown>
  units?: Keyed
  markers?: Keyed
  objectives?: Keyed
}

/** Somebody would like to take answers back, down to one; who has agreed. */
export interface Wish {
  by: number
  to: number
  yes?: number[]
}

/** A question that a side lets pass, in the words it was asked in. */
export interface LetPass {
  side: number
  ask: string
  words: Named
}

/** How a battle has ended, and what that is in words. */
export interface Result {
  winners: number[]
  score: number[]
  words: Named
}

/** A seed that took the place of the first after so many answers: its hash, and when the battle is over the rest. */
export interface FurtherSeed {
  after: number
  seed_hash: string
  seed?: string
  salt?: string
}

/** Whether everybody may measure at any time, and the rule by which nobody may. */
export interface Measuring {
  open: boolean
  rule: string
}

/** What has changed. `start` (`from` on the way): how many lines of the log there were before. */
export interface Update {
  type: 'update'
  number: number
  epoch: number
  side: number
  decision: Decision | null
  waiting: number[]
  undo: Wish | null
  over: boolean
  log: Line[]
  passes?: LetPass[]
  result?: Result
  seed?: string
  salt?: string
  further_seeds?: FurtherSeed[]
  open?: boolean
  measuring?: Measuring
  armies?: (Named | null)[]
  from: number
  changes: Changes
}

/** Who plays a side: a bot by name, or somebody. */
export interface Player {
  side: number
  bot: string | null
}

/** What a seat plays. */
export interface You {
  sides: number[]
  spectator: boolean
}

/** A first battle: what it is called, what it is about, and whom it teaches. */
export interface Lesson {
  name: Named
  about: Named
  side: number
}

/** Everything from the beginning. */
export interface Hello {
  type: 'hello'
  number: number
  epoch: number
  side: number
  decision: Decision | null
  waiting: number[]
  undo: Wish | null
  over: boolean
  log: Line[]
  passes?: LetPass[]
  result?: Result
  seed?: string
  salt?: string
  further_seeds?: FurtherSeed[]
  open?: boolean
  measuring?: Measuring
  armies: (Named | null)[]
  from: number
  battle: string
  game: string
  title: string
  mode: string
  created: number
  players: Player[]
  options: Record<string, unknown>
  choices: Record<string, unknown>
  seed_hash: string
  analysis: boolean
  campaign: string | null
  round: number
  measure: string
  you: You
  scene: Scene
  lesson?: Lesson
}

/** Somebody plays again, and everybody who has a seat may sit down. */
export interface Again {
  type: 'rematch'
  by: number
  swap: boolean
}

/** Who is at the table: the sides that somebody sits at, how many watch, and what people call themselves. */
export interface Present {
  type: 'present'
  sides: number[]
  watching: number
  names: Record<string, string>
}

/** Something that was said. */
export interface SaidLine {
  number: number
  side: number
  text: string
  at: number
}

/** What was said at the table: the last lines for who comes, then one after the other. */
export interface Said {
  type: 'said'
  lines: SaidLine[]
}

/** Somebody would like to pause; who has agreed. */
export interface AskedPause {
  by: number
  yes: number[]
}

/**
 * How the clocks stand. `left` are seconds by side as of when the question was put, and `ran` how many of them have gone by for
 * those that run; `out` are sides whose time has run out, `claims` against whom the win was claimed, and by whom.
 */
export interface Clock {
  type: 'clock'
  kind: 'battle' | 'days' | 'none'
  minutes: number
  days: number
  lost: 'claim' | 'told'
  left: Record<string, number>
  running: number[]
  ran: number
  paused: boolean
  wish: AskedPause | null
  out: number[]
  claims: [number, number][]
}

/** What was asked for, agreed on or refused at the table, and by whom; -1 is nobody in particular. */
export interface Note {
  type: 'note'
  what: 'claimed' | 'pause_asked' | 'pause_refused' | 'paused' | 'time_out' | 'undo_agreed' | 'undo_asked' | 'undo_done' | 'undo_refused' | 'went_on'
  by: number
}

/** Something to draw, and the sentence that explains it. */
export interface Aid {
  kind: string
  of: string
  rule: string
  words: Span[]
  circles: [number, number, number][]
  rings: [number, number][][]
  limits: number[]
}

/** A part of what a way costs: where on the way it falls due, and the sentence for it. */
export interface Cost {
  at: [number, number]
  length: number
  words: Span[]
}

/** What lies between two ends. Nobody is told the distance where nobody measures now. */
export interface Sight {
  distance: number | null
  seen: boolean
  cover: boolean
  through: string[]
  rule: string
  words: Span[]
}

/**
 * Answers one after the other, as what is asked and the key: to a `move` of figures, no farther than `reach` where somebody says how
 * far; to a place shown for them; to a `strike` on an enemy; or to something one has to be asked.
 */
export interface Way {
  answers: [string, string][]
  leads: 'ask' | 'move' | 'place' | 'strike'
  figures?: string[]
  reach?: number
  on?: string
  charge?: boolean
}

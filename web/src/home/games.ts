// The games as the server offers them, and how earlier battles stand.

import type { Named } from '../words'

export interface Army {
  id: string
  name: Named
  story?: Named
  points: number
  cost: number
  units: number
  models: number
}
export interface Words {
  title: Named
  values: Record<string, Named>
}
/** Choices that must have been made, by key; null if nothing helps. */
export type Needs = Record<string, string[]> | null
export interface Game {
  id: string
  title: Named
  sides: number
  players_choice: string
  goes_with: Record<string, Record<string, Record<string, string[]>>>
  minutes: [number, number] | null
  /** How much there is to learn, from 1 to 5; 0 where nobody has said. */
  learning: number
  words: { blurb: Named; like: Named; map: Named; options: Record<string, Words>; choices: Record<string, Words> }
  armies: Army[]
  maps: { id: string; name: Named; about: Named; pieces: number; needs: Needs }[]
  generated: Needs
  generated_maps: string
  options: { key: string; default: string; values: string[]; rule: string }[]
  choices: Record<string, string[]>
  bots: string[]
  /** How strong they are, where battles have shown it. */
  ratings?: Record<string, { rating: number; within: number; battles: number }>
  best_bot: string
}
/** How an earlier battle stands. */
export interface Standing {
  game: string
  armies: (Named | null)[]
  players: { side: number; bot: string | null }[]
  round: number
  over: boolean
  waiting: number[]
  result?: { words: Named }
}

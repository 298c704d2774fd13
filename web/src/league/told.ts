// What is told of a league.

import type { Terms } from '../lobby/clock'

export interface Fixture {
  round: number
  first: string
  second: string
  battle: string
  watch: string
  result: '' | 'first' | 'second' | 'draw'
  by_hand: boolean
}

export interface Told {
  id: string
  name: string
  game: string
  points: number
  clock: Terms | null
  round: number
  rounds: number
  over: boolean
  players: { name: string; army: string | null; bot: string | null }[]
  fixtures: Fixture[]
  standings: { place: number; player: string; points: number; played: number; won: number; drawn: number; lost: number; rating: number | null }[]
  you: { name: string | null; organises: boolean }
}

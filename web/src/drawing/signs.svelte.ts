// The signs of the game that is on the page: its states, tokens, looks and borders, with words and icons.
// The game declares them in its own files, and the server sends them; the pages name none.

import type { Scene, Unit } from '../messages'
import type { Lang, Named } from '../words'

export interface StateSign {
  icon: string
  colour: string
  rim: 'disc' | 'drop'
  /** How the unit itself is drawn: it lies on its base, is nailed to it, or a crack runs through its ranks. */
  drawn: '' | 'lying' | 'nailed' | 'cracked'
  /** It has acted. */
  done: boolean
}
export interface TokenSign {
  icon: string
  colour: string
  corners: number
  /** In degrees. */
  turn: number
  letter: string
  /** A disc that one sees through; it lies over the figures. */
  template?: boolean
}
export interface PoolSign {
  icon: string
  colour: string
}
export interface BorderSign {
  line: 'strong' | 'thin'
  named: boolean
}
type Chapter = 'state' | 'token' | 'look' | 'border' | 'area' | 'pool' | 'reserve' | 'fate' | 'reason' | 'landmark'
export interface Picture {
  states: Record<string, StateSign>
  tokens: Record<string, TokenSign>
  looks: Record<string, { icon: string }>
  borders: Record<string, BorderSign>
  pools?: Record<string, PoolSign>
  icons: Record<string, { box: string; shapes: string }>
  words: Partial<Record<Chapter, Record<string, Named>>>
}

const NOTHING: Picture = { states: {}, tokens: {}, looks: {}, borders: {}, icons: {}, words: {} }
const PLAIN: StateSign = { icon: '', colour: '#fffaf0', rim: 'disc', drawn: '', done: false }
const DISC: TokenSign = { icon: '', colour: '#fbf6e8', corners: 24, turn: 0, letter: '' }
const EDGE: BorderSign = { line: 'strong', named: false }

class Signs {
  picture = $state.raw<Picture>(NOTHING)
  /** The game they are of. */
  game = $state('')
  private wanted = ''

  set(game: string, picture: Picture): void {
    this.wanted = this.game = game
    this.picture = picture
  }

  /** Fetch those of a game, unless they are there. Where that fails, everything is shown by its first letter. */
  async load(game: string): Promise<void> {
    if (game === this.wanted) return
    this.wanted = game
    const response = await fetch(`/api/games/${encodeURIComponent(game)}/picture`).catch(() => null)
    const picture = response?.ok ? ((await response.json()) as Picture) : NOTHING
    if (game === this.wanted) this.set(game, picture)
  }

  state(state: string): StateSign {
    return this.picture.states[idOf(state)] ?? PLAIN
  }

  token(kind: string): TokenSign {
    return this.picture.tokens[kind] ?? DISC
  }

  border(kind: string): BorderSign {
    return this.picture.borders[kind] ?? EDGE
  }

  pool(kind: string): PoolSign {
    return this.picture.pools?.[kind] ?? PLAIN
  }

  /** What the game calls it; `otherwise`, or its id, where the game has no word. */
  word(chapter: Chapter, id: string, lang: Lang, otherwise = id): string {
    const name = this.picture.words[chapter]?.[id]
    return name?.[lang] || name?.en || otherwise
  }

  /** A state as people say it: "wounded 2". */
  stateName(state: string, lang: Lang): string {
    const [id, number] = state.split(' ')
    return this.word('state', id, lang) + (number ? ` ${number}` : '')
  }

  /** What is written on a token. */
  letter(kind: string, lang: Lang): string {
    return this.token(kind).letter || this.word('token', kind, lang).slice(0, 1).toUpperCase()
  }
}

/** Who acts has not done: the table as it is shown while something is asked about a unit. */
export function acting(scene: Scene, subject: string): Scene {
  const done = (unit: Unit) => unit.id === subject && unit.states.some((state) => signs.state(state).done)
  if (!scene.units.some(done)) return scene
  return { ...scene, units: scene.units.map((unit) => (done(unit) ? { ...unit, states: unit.states.filter((state) => !signs.state(state).done) } : unit)) }
}

/** The state without its number. */
export const idOf = (state: string): string => state.split(' ')[0]

export const signs = new Signs()

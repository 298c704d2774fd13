// A unit that is dragged before it is known what that means: it follows the pointer, and nothing is asked about where it is.

import { Draft } from '../draft.svelte'
import type { Decision, Scene, Seat, Unit, Way } from '../wire.svelte'

export class Grab extends Draft {
  /** What the server makes of it; null until it has said so. */
  ways = $state.raw<Way[] | null>(null)

  constructor(
    seat: Seat,
    readonly unit: Unit,
    scene: Scene,
  ) {
    super(seat, { kind: 'move figures', side: unit.side, ask: '', rule: '', about: {}, words: [], secret: false, subject: unit.id, figures: unit.figures.map((f) => f.id) } as Decision, scene)
  }

  override look(): void {}

  /** How far somebody may go at most, by what it may mean. */
  override get far(): number {
    return Math.max(0, ...(this.ways ?? []).map((way) => way.reach ?? 0))
  }

  /** How far the figure that went farthest has gone, as the crow flies. */
  get travelled(): number {
    return Math.max(0, ...this.moved().map((id) => Math.hypot(this.spots[id].x - this.home[id].x, this.spots[id].y - this.home[id].y)))
  }
}

/** What it means to drag a unit so far: the shortest way to a move that reaches there, of several the one with the least reach;
 * where no move is open yet, the answer that all ways begin with. */
export function meant(ways: Way[], away: number): Way | null {
  const moves = ways.filter((way) => way.leads === 'move' || way.leads === 'place')
  const known = moves.filter((way) => way.reach)
  const among = known.length ? known : moves
  const shortest = Math.min(...among.map((way) => way.answers.length))
  const nearest = among.filter((way) => way.answers.length === shortest).sort((a, b) => (a.reach ?? Infinity) - (b.reach ?? Infinity))
  const found = nearest.find((way) => !way.reach || way.reach > away - 0.5) ?? nearest.at(-1)
  if (found) return found
  const [first] = ways
  if (!first || !ways.every((way) => way.answers[0][1] === first.answers[0][1])) return null
  return { answers: [first.answers[0]], leads: 'ask' }
}

// The tape: from one base or point to another, and what the server says of seeing it.

import { gap, type Point } from '../drawing/geometry'
import { page as app } from '../page.svelte'
import type { Figure } from '../wire.svelte'
import { length, named, thing } from '../words'
import { hexesBetween } from './aids.svelte'
import type { TableProps } from './props'
import { PLAY } from './words'

interface Laid {
  from: Point
  to: Point
  a: Figure | null
  b: Figure | null
}

/** A length as the game counts it: hexes on a board of hexes. */
export function told(n: number, props: TableProps): string {
  const p = PLAY[app.lang]
  return props.scene.hexes ? `${Math.round(n)} ${Math.round(n) === 1 ? p.hexOne : p.hexMany}` : length(n, props.measure, app.lang)
}

export class Tape {
  laid = $state.raw<Laid | null>(null)
  /** It is being drawn out. */
  pulling = $state(false)

  readonly sight = $derived.by(() => (this.laid ? (this.props.aids?.sight ?? null) : null))
  readonly how = $derived.by(() => (!this.sight ? '' : !this.sight.seen ? 'blocked' : this.sight.cover ? 'cover' : 'clear'))
  readonly text = $derived.by(() => {
    if (!this.laid) return ''
    if (this.sight) return this.sight.words.map((span) => span.text).join('')
    const { from, to, a, b } = this.laid
    if (this.props.scene.hexes) return told(hexesBetween(this.props.scene.hexes, from, to), this.props)
    const stand = (f: Figure | null, at: Point) => f ?? { x: at[0], y: at[1], facing: 0, base: { radius: 0 } }
    return told(gap(stand(a, from), stand(b, to)), this.props)
  })
  /** What stands in the way, by name. */
  readonly between = $derived.by(() =>
    (this.sight?.through ?? []).map((id) => {
      const unit = this.props.scene.units.find((one) => one.id === id)
      const piece = this.props.scene.table.pieces.find((one) => one.id === id)
      return unit ? `${unit.tag} ${named(unit.name, app.lang)}` : piece ? thing(piece.kind, app.lang) : id
    }),
  )

  constructor(private readonly props: TableProps) {}

  begin(at: Point, a: Figure | null): void {
    this.laid = { from: a ? [a.x, a.y] : at, to: at, a, b: null }
    this.pulling = true
    this.props.aids?.forget()
  }

  pull(at: Point, b: Figure | null): void {
    if (!this.laid) return
    this.laid = { ...this.laid, to: b ? [b.x, b.y] : at, b }
    this.look()
  }

  /** Measuring by keyboard: first one figure, then the other. */
  put(one: Figure): void {
    const at: Point = [one.x, one.y]
    if (this.laid && !this.laid.b) {
      this.laid = { ...this.laid, to: at, b: one }
      this.look()
    } else {
      this.begin(at, one)
      this.pulling = false
    }
  }

  forget(): void {
    this.laid = null
    this.pulling = false
    this.props.aids?.forget()
  }

  /** Ask what lies between its ends. One that is being moved is where it is drawn. */
  private look(): void {
    const { draft, aids } = this.props
    if (!this.laid || !aids) return
    const end = (f: Figure | null, at: Point) => (f && !(draft?.has(f.id) && draft.moved().includes(f.id)) ? f.id : at)
    void aids.look(end(this.laid.a, this.laid.from), end(this.laid.b, this.laid.to))
  }
}

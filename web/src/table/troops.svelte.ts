// Who is on the table, as drawn: what has not changed stays the same object, and is not drawn again.

import { asMarch } from '../draft.svelte'
import * as art from '../drawing/figures'
import { distance, reachOf, type Point } from '../drawing/geometry'
import { Page } from '../drawing/terrain'
import { page as app } from '../page.svelte'
import { named } from '../words'
import type { Figure, Unit } from '../wire.svelte'
import { strays } from './aids.svelte'
import { hullOf, type Hull } from './hulls'
import { NOTHING, type TableProps } from './props'
import { figureTitle, isLeader } from './titles'

export interface Shown {
  unit: Unit
  figure: Figure
  art: string
  title: string
  lit: boolean
  chosen: boolean
  pointed: boolean
  held: boolean
}

const MOST_PICTURES = 3000

export class Troops {
  private readonly pictures = new Map<string, string>()
  private before = new Map<string, Shown>()
  private kept = new Map<string, { from: unknown[]; hull: Hull }>()

  readonly sheet = $derived.by(() => new Page(this.props.scene.table, 0, 0, this.props.far))
  readonly march = $derived.by(() => asMarch(this.props.draft ?? null))

  readonly figures = $derived.by(() => {
    const { scene, draft, measure, lit = NOTHING, chosen = NOTHING, shown = NOTHING } = this.props
    const now = new Map<string, Shown>()
    for (const unit of scene.units)
      unit.figures.forEach((figure, n) => {
        const held = draft?.has(figure.id) ?? false
        if (unit.reserve !== null && !(held && draft?.there.has(figure.id))) return
        const made: Shown = {
          unit,
          figure,
          art: this.picture(unit, figure, figure.facing),
          title: figureTitle(unit, figure, n, scene.table, measure, app.lang),
          lit: lit.has(unit.id) || lit.has(figure.id),
          chosen: chosen.has(unit.id) || chosen.has(figure.id),
          pointed: shown.has(unit.id) || shown.has(figure.id),
          held,
        }
        const old = this.before.get(figure.id)
        const same = old && (Object.keys(made) as (keyof Shown)[]).every((key) => old[key] === made[key])
        now.set(figure.id, same ? old : made)
      })
    this.before = now
    return [...now.values()]
  })
  readonly byId = $derived.by(() => new Map(this.figures.map((f) => [f.figure.id, f])))
  /** Those that are drawn one by one. */
  readonly singles = $derived.by(() => this.figures.filter((f) => !this.inRanks(f.unit)))
  readonly heldUnits = $derived.by(() => new Set(this.props.draft ? this.figures.filter((f) => f.held).map((f) => f.unit.id) : []))

  /** The hull of a unit is made anew only when the unit has changed. */
  readonly hulls = $derived.by(() => {
    const now = new Map<string, { from: unknown[]; hull: Hull }>()
    for (const unit of this.props.scene.units) {
      if (this.inRanks(unit)) continue
      const there = unit.figures.flatMap((figure) => (this.byId.has(figure.id) ? [{ x: figure.x, y: figure.y, figure }] : []))
      const from = [unit, this.sheet, app.lang, there.length]
      const old = this.kept.get(unit.id)
      if (old && from.every((one, n) => one === old.from[n])) now.set(unit.id, old)
      else {
        const hull = hullOf(unit, there, this.sheet, app.lang)
        if (hull) now.set(unit.id, { from, hull })
      }
    }
    this.kept = now
    return [...now.values()].map((one) => one.hull)
  })
  /** Hulls of units that are being moved, where they are now. */
  private readonly following = $derived.by(() => {
    const found = new Map<string, Hull>()
    for (const unit of this.props.scene.units) {
      if (!this.heldUnits.has(unit.id) || this.inRanks(unit)) continue
      const there = unit.figures.flatMap((figure) => {
        const f = this.byId.get(figure.id)
        return f ? [{ ...this.spot(f), figure }] : []
      })
      const hull = hullOf(unit, there, this.sheet, app.lang)
      if (hull) found.set(unit.id, hull)
    }
    return found
  })

  /** Figures of the draft that have lost touch with their unit, and the one the rules speak of. */
  readonly strayed = $derived.by(() => {
    const { draft, aids, scene } = this.props
    const found = new Set<string>()
    if (!draft || !draft.moved().length) return found
    const named = draft.verdict?.ok === false ? draft.verdict.refusal?.facts?.figure : undefined
    if (typeof named === 'string' && draft.has(named)) found.add(named)
    for (const aid of aids?.around ?? []) {
      if (aid.kind !== 'together') continue
      const unit = scene.units.find((one) => one.id === aid.of)
      const places = unit?.figures.flatMap((figure) => {
        const f = this.byId.get(figure.id)
        return f ? [{ id: figure.id, ...this.spot(f), r: reachOf(figure.base) }] : []
      })
      const kept = unit?.coherency ?? { nearest: aid.limits[0], farthest: aid.limits[1] }
      for (const id of strays(places ?? [], kept)) found.add(id)
    }
    return found
  })

  constructor(private readonly props: TableProps) {}

  /** Those of units in ranks and files, or inside something, are drawn together. */
  inRanks(unit: Unit): boolean {
    return !!unit.block || !!unit.inside || this.march?.unit === unit.id
  }

  hullNow(hull: Hull): Hull {
    return this.heldUnits.has(hull.id) ? (this.following.get(hull.id) ?? hull) : hull
  }

  /** Where a figure is drawn: in the draft, if it is being moved. */
  spot(f: Shown): { x: number; y: number } {
    return (f.held && this.props.draft?.spots[f.figure.id]) || f.figure
  }

  drawn(f: Shown): string {
    const facing = f.held ? this.props.draft?.spots[f.figure.id]?.facing : null
    return facing === null || facing === undefined ? f.art : this.picture(f.unit, f.figure, facing)
  }

  /** The figure whose base is at a point of the table, where it is drawn. */
  at(at: Point): Figure | null {
    const found = this.figures.find((f) => distance([this.spot(f).x, this.spot(f).y], at) <= reachOf(f.figure.base))
    return found ? { ...found.figure, ...this.spot(found) } : null
  }

  /** The one whose edge is nearest to a point of the table, no farther than that. */
  nearest(at: Point, most: number, wanted: (one: Shown) => boolean): string | undefined {
    let [best, id]: [number, string | undefined] = [most, undefined]
    for (const f of this.figures) {
      const away = distance([this.spot(f).x, this.spot(f).y], at) - reachOf(f.figure.base)
      if (wanted(f) && away < best) [best, id] = [away, f.figure.id]
    }
    return id
  }

  private picture(unit: Unit, f: Figure, facing: number): string {
    const [s, lang] = [this.sheet.scale, app.lang]
    const letter = named(unit.name, lang).slice(0, 1).toUpperCase()
    const alone = unit.figures.length === 1
    const key = JSON.stringify([unit.side, unit.tag, letter, f.look ?? unit.look, unit.states, f.base, facing, f.wounds, f.tough, f.hero, isLeader(unit, f), alone, s, this.sheet.far, lang])
    const known = this.pictures.get(key)
    if (known !== undefined) return known
    const made = art.figure({
      side: unit.side,
      is: f.look ?? unit.look,
      letter,
      number: unit.tag.slice(1),
      radius: reachOf(f.base) * s,
      box: 'radius' in f.base ? null : [f.base.width * s, f.base.depth * s],
      turn: this.sheet.turn(facing),
      wounds: f.wounds,
      tough: f.tough,
      alone,
      hero: f.hero,
      leader: isLeader(unit, f),
      states: unit.states,
      lang,
    })
    if (this.pictures.size > MOST_PICTURES) this.pictures.clear()
    this.pictures.set(key, made)
    return made
  }
}

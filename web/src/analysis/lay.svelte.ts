// A unit that is dragged about an analysis: like an answer in the making, but nobody judges it before it is put down.

import { Draft, type Spot } from '../draft.svelte'
import type { Decision, Scene, Seat, Unit } from '../wire.svelte'

const NOBODY = { blind: () => true } as unknown as Seat

export class Lay extends Draft {
  constructor(scene: Scene, unit: Unit) {
    const figures = unit.figures.map((f) => f.id)
    super(NOBODY, { kind: 'place figures', side: unit.side, ask: '', rule: '', about: {}, words: [], secret: false, subject: '', figures } as Decision, scene)
    this.put(Object.fromEntries(unit.figures.map((f): [string, Spot] => [f.id, { x: f.x, y: f.y, facing: null }])))
  }

  override look(): void {}
}

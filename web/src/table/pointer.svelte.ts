// The pointer, mouse or fingers: what it has taken hold of, and what comes of it. It knows no page: what lies under it is told.

import type { Draft, Spot } from '../draft.svelte'
import { distance, type Point } from '../drawing/geometry'
import type { Handle, March } from './march.svelte'
import type { Tape } from './tape.svelte'
import type { Troops } from './troops.svelte'
import type { Camera } from './camera.svelte'
import { pinchFrom, type Client, type Pinch, type View } from './view'

/** A pointer of the window, as events have it. */
export interface Touch extends Client {
  pointerId: number
  pointerType: string
  shiftKey: boolean
}
/** What lies under it, by name. */
export interface Under {
  figure?: string
  unit?: string
  handle?: Handle
  spot?: string
  thing?: string
}
/** What it acts on. */
export interface Hold {
  camera: Camera
  troops: Troops
  tape: Tape
  draft: () => Draft | null
  measuring: () => boolean
  pick: (id: string, at: Client) => void
  /** Take a unit in hand that is ready: the draft of it from now on, if that can be. */
  mayGrab: (unit: string) => boolean
  grab: (unit: string) => Draft | null
  pickThing: (id: string) => void
  spot: (key: string) => void
  /** It was let go, on that unit if there is another below it. */
  drop: (over: string | undefined, at: Touch) => void
  hover: (unit: string | null) => void
  /** Nothing lies there but the table. */
  ground?: (at: Point) => void
}

interface Drag {
  id: string
  ids: string[]
  at: Point
  from: Record<string, Spot>
  moved: boolean
  handle?: Handle
}

/** Pixels a pointer may tremble before it drags a figure, and before it pans. */
const [TREMBLE, PAN] = [4, 5]
/** How broad a finger is, in pixels, for figures and for knobs. */
const [FINGER, KNOB] = [24, 22]

export class Pointer {
  drag = $state<Drag | null>(null)
  /** Where it is while it drags. */
  at = $state<{ x: number; y: number } | null>(null)
  hovered = $state<string | null>(null)
  private touches = new Map<number, Client>()
  private pinch: Pinch | null = null
  /** What would be taken in hand if it were dragged. */
  private ready: { unit: string; figure: string; from: Client } | null = null
  private panning: { id: number; from: Client; view: View; moved: boolean } | null = null
  private last: Point | null = null

  constructor(private readonly on: Hold) {}

  private mm(at: Client): Point {
    return this.on.troops.sheet.back(...this.on.camera.onPage(at))
  }

  /** Millimetres of the table in so many pixels. */
  private span(pixels: number): number {
    return (pixels * this.on.camera.unit) / this.on.troops.sheet.scale
  }

  /** Whether it is to be followed wherever it goes. */
  down(touch: Touch, under: Under): boolean {
    const { camera, troops, tape } = this.on
    this.touches.set(touch.pointerId, touch)
    if (this.touches.size === 2) {
      const [a, b] = [...this.touches.values()]
      this.pinch = pinchFrom(camera.view, camera.frame(), a, b)
      if (this.drag) this.cancel()
      this.panning = this.ready = null
      return false
    }
    const at = this.mm(touch)
    if (this.on.measuring()) tape.begin(at, troops.at(at))
    else if (!this.grab(touch, under, at)) {
      this.panning = { id: touch.pointerId, from: touch, view: camera.view, moved: false }
      this.ready = this.on.draft() ? null : this.readyUnder(touch, under, at)
    }
    return true
  }

  /** Take hold of what is to be moved, if that is under it. */
  private grab(touch: Touch, under: Under, at: Point): boolean {
    const { troops } = this.on
    const draft = this.on.draft()
    if (!draft) return false
    if (troops.march) {
      const handle = this.gripped(troops.march, touch, under, at)
      if (!handle) return false
      this.drag = { id: troops.march.figures[0], ids: [], at, from: {}, moved: false, handle }
      troops.march.grip(at)
      return true
    }
    let id = under.figure
    if (touch.pointerType === 'touch' && !(id && draft.has(id))) id = troops.nearest(at, this.span(FINGER), (one) => one.held) ?? id
    if (!id || !draft.has(id) || !draft.spots[id]) return false
    this.drag = { id, ids: touch.shiftKey ? [id] : draft.block(id), at, from: { ...draft.spots }, moved: false }
    return true
  }

  /** The unit under it that may be dragged, by one of its figures. */
  private readyUnder(touch: Touch, under: Under, at: Point): { unit: string; figure: string; from: Client } | null {
    const { troops } = this.on
    const finger = touch.pointerType === 'touch' ? troops.nearest(at, this.span(FINGER), (one) => this.on.mayGrab(one.unit.id)) : undefined
    const figure = under.figure ?? finger
    const unit = figure ? troops.byId.get(figure)?.unit.id : under.unit
    if (!unit || !this.on.mayGrab(unit)) return null
    return { unit, figure: figure ?? troops.figures.find((one) => one.unit.id === unit)?.figure.id ?? '', from: touch }
  }

  /** It is dragged: it is in hand. */
  private takeUp(): boolean {
    const ready = this.ready
    this.ready = null
    const draft = ready ? this.on.grab(ready.unit) : null
    if (!ready || !draft?.spots[ready.figure]) return false
    this.panning = null
    this.drag = { id: ready.figure, ids: draft.block(ready.figure), at: this.mm(ready.from), from: { ...draft.spots }, moved: false }
    return true
  }

  /** What of the block that is moved lies under it; a finger is broader. */
  private gripped(march: March, touch: Touch, under: Under, at: Point): Handle | undefined {
    if (under.handle) return under.handle
    const near = touch.pointerType === 'touch' ? this.span(KNOB) : 0
    const handle = near ? march.handles.find((one) => distance(one.at, at) < near) : undefined
    return handle?.kind ?? (march.covers(at, near / 2) ? 'body' : undefined)
  }

  move(touch: Touch, under: () => Under): void {
    const { camera, troops, tape } = this.on
    if (this.touches.has(touch.pointerId)) this.touches.set(touch.pointerId, touch)
    if (this.ready && !this.pinch && Math.hypot(touch.clientX - this.ready.from.clientX, touch.clientY - this.ready.from.clientY) >= TREMBLE) this.takeUp()
    const draft = this.on.draft()
    if (this.pinch && this.touches.size === 2) {
      const [a, b] = [...this.touches.values()]
      camera.pinch(this.pinch, a, b)
    } else if (tape.pulling) {
      const at = this.mm(touch)
      tape.pull(at, troops.at(at))
    } else if (this.drag && draft) this.pull(this.drag, draft, touch)
    else if (this.panning?.id === touch.pointerId) {
      const { from, view } = this.panning
      const [dx, dy] = [touch.clientX - from.clientX, touch.clientY - from.clientY]
      if (!this.panning.moved && Math.hypot(dx, dy) < PAN) return
      this.panning.moved = true
      camera.dragFrom(view, dx, dy)
    } else {
      const over = under().unit ?? null
      if (over === this.hovered) return
      this.hovered = over
      this.on.hover(over)
    }
  }

  private pull(drag: Drag, draft: Draft, touch: Touch): void {
    const { camera, troops } = this.on
    const [x, y] = (this.last = this.mm(touch))
    const [dx, dy] = [x - drag.at[0], y - drag.at[1]]
    if (!drag.moved && Math.hypot(dx, dy) * (camera.size.w / camera.view.w) * troops.sheet.scale < TREMBLE) return
    drag.moved = true
    draft.dragging = true
    camera.hold()
    this.at = { x: touch.clientX, y: touch.clientY }
    if (troops.march && drag.handle) troops.march.pull(drag.handle, [x, y])
    else draft.shift(drag.ids, drag.from, dx, dy)
  }

  /** `under` is what lies there now: who followed it knows no more than where it is. */
  up(touch: Touch, under: () => Under): void {
    this.touches.delete(touch.pointerId)
    if (this.touches.size < 2) this.pinch = null
    this.on.tape.pulling = false
    this.ready = null
    const draft = this.on.draft()
    if (this.drag && draft) return this.letGo(this.drag, draft, touch)
    const pan = this.panning
    this.panning = null
    if (!pan || pan.moved) return
    const { figure, spot, thing } = under()
    if (spot) this.on.spot(spot)
    else if (figure) this.on.pick(figure, touch)
    else if (thing) this.on.pickThing(thing)
    else {
      const at = this.mm(touch)
      const near = touch.pointerType === 'touch' ? this.on.troops.nearest(at, this.span(FINGER), (one) => one.lit) : undefined
      if (near) this.on.pick(near, touch)
      else this.on.ground?.(at)
    }
  }

  private letGo({ id, handle, moved }: Drag, draft: Draft, touch: Touch): void {
    const { march } = this.on.troops
    this.drag = null
    draft.dragging = false
    this.on.camera.release()
    if (march && handle) {
      // The reason it is refused stays where it was let go.
      march.letGo()
      if (moved) this.on.drop(undefined, touch)
      else this.on.pick(id, touch)
      return
    }
    this.at = null
    if (moved) this.on.drop(this.below(draft, touch), touch)
    else this.on.pick(id, touch)
  }

  /** The unit that what is dragged was let go on. */
  private below(draft: Draft, touch: Touch): string | undefined {
    const other = this.on.troops.nearest(this.mm(touch), this.span(touch.pointerType === 'touch' ? FINGER : 1), (one) => !draft.has(one.figure.id))
    return other && this.on.troops.byId.get(other)?.unit.id
  }

  /** Nothing is under way any more; what was dragged is put back. */
  cancel(): void {
    const draft = this.on.draft()
    if (this.drag && draft) {
      draft.dragging = false
      draft.verdict = null
      if (this.on.troops.march) this.on.troops.march.cancel()
      else draft.set(this.drag.from)
    }
    this.on.camera.release()
    this.drag = null
    this.at = null
    this.on.tape.forget()
  }

  /** The window has taken it away. */
  lose(): void {
    this.touches.clear()
    this.pinch = this.panning = this.ready = null
    this.cancel()
  }

  /** What is dragged was turned or drawn up in between: it is dragged on from there. */
  rebase(): void {
    const draft = this.on.draft()
    if (this.drag && draft && this.last) this.drag = { ...this.drag, from: { ...draft.spots }, at: this.last }
  }
}

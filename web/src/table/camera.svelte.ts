// The camera: what is looked at now, and what is drawn. While one zooms or pans, what is drawn is only moved and stretched; it is
// drawn anew when that stops.

import { untrack } from 'svelte'
import type { Point } from '../drawing/geometry'
import { fitting, MARGIN, onPage, pinched, resized, shifted, zoomed, type Client, type Pinch, type Size, type View } from './view'

const FIRST: View = { x: -MARGIN, y: -MARGIN, w: 1, h: 1 }
/** Milliseconds without a change after which it is drawn anew. */
const STILL = 150

export class Camera {
  view = $state.raw<View>(FIRST)
  drawn = $state.raw<View>(FIRST)
  size = $state.raw<Size>({ w: 800, h: 600 })
  /** The whole table is shown, whatever size the window has. */
  private fitted = true
  private timer = 0
  private element: Element | null = null
  /** Somebody drags something: what is under his pointer stays there. */
  private held = false

  /** Units of the page for a pixel of the window. */
  readonly unit = $derived.by(() => this.drawn.w / this.size.w)
  readonly stretch = $derived.by(() => {
    if (this.view === this.drawn) return null
    const px = this.size.w / this.view.w
    return `translate(${(this.drawn.x - this.view.x) * px}px, ${(this.drawn.y - this.view.y) * px}px) scale(${this.drawn.w / this.view.w})`
  })

  /** `page` is how large the drawn table is. */
  constructor(private readonly page: () => Size) {}

  /** Look into this element from now on, which must be there. */
  watch(element: Element): () => void {
    this.element = element
    const watcher = new ResizeObserver(([entry]) => {
      const { width: w, height: h } = entry.contentRect
      if (w && h) this.resize({ w, h })
    })
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      clearTimeout(this.timer)
    }
  }

  private resize(now: Size): void {
    const old = this.size
    this.size = now
    if (this.fitted && !this.held) return this.fit()
    this.view = resized(this.view, old, now)
    this.settle()
  }

  fit(): void {
    this.view = fitting(this.page(), this.size)
    this.fitted = true
    this.settle()
  }

  /** The table has changed: if the whole of it was shown, it still is. */
  refit(): void {
    if (this.fitted) this.fit()
  }

  zoomAt(at: Point, factor: number): void {
    this.go(zoomed(this.view, at, factor, this.page()))
  }

  /** Round the middle of the window, at once. */
  zoom(factor: number): void {
    this.zoomAt([this.view.x + this.view.w / 2, this.view.y + this.view.h / 2], factor)
    this.settle()
  }

  /** By eighths of the window, right and up. */
  pan(right: number, up: number): void {
    this.go(shifted(this.view, right / 8, -up / 8))
    this.settle()
  }

  /** From where it was, by so many pixels of the window. */
  dragFrom(view: View, right: number, down: number): void {
    this.go(shifted({ ...this.view, x: view.x, y: view.y }, -right / this.size.w, -down / this.size.h))
  }

  pinch(from: Pinch, a: Client, b: Client): void {
    this.go(pinched(from, this.frame(), a, b))
  }

  hold(): void {
    this.held = true
  }

  release(): void {
    if (!this.held) return
    this.held = false
    this.refit()
  }

  frame(): DOMRect {
    return this.element!.getBoundingClientRect()
  }

  onPage(at: Client): Point {
    return onPage(this.view, this.frame(), at)
  }

  private go(view: View): void {
    this.view = view
    this.fitted = false
    clearTimeout(this.timer)
    const k = this.drawn.w / view.w
    if (k > 3 || k < 0.4) this.drawn = view
    else this.timer = setTimeout(() => this.settle(), STILL) as unknown as number
  }

  private settle(): void {
    clearTimeout(this.timer)
    this.drawn = untrack(() => this.view)
  }
}

// Where one looks: the part of the page that fills the window, and how zooming, panning and pinching change it.

import type { Point } from '../drawing/geometry'

/** A part of the page, in its units. */
export interface View {
  x: number
  y: number
  w: number
  h: number
}
export interface Size {
  w: number
  h: number
}
/** A point of the window, as pointers have it. */
export interface Client {
  clientX: number
  clientY: number
}
/** A rectangle of the window. */
export interface Frame {
  left: number
  top: number
  width: number
  height: number
}

/** How much of the page round the table is shown with the whole of it. */
export const MARGIN = 34
/** How near one comes, and how far away one goes, as shares of the whole table. */
const [NEAREST, FARTHEST] = [0.08, 3]

/** All of a page, in the middle of the window. */
export function fitting(page: Size, window: Size): View {
  const k = Math.max((page.w + 2 * MARGIN) / window.w, (page.h + 2 * MARGIN) / window.h)
  return { x: page.w / 2 - (k * window.w) / 2, y: page.h / 2 - (k * window.h) / 2, w: k * window.w, h: k * window.h }
}

/** Nearer or farther, round a point of the page that stays where it is. */
export function zoomed(view: View, [x, y]: Point, factor: number, page: Size): View {
  const whole = page.w + 2 * MARGIN
  const f = (Math.min(Math.max((view.w * factor) / whole, NEAREST), FARTHEST) * whole) / view.w
  return { x: x - (x - view.x) * f, y: y - (y - view.y) * f, w: view.w * f, h: view.h * f }
}

/** By so much of the window to the right and down. */
export function shifted(view: View, right: number, down: number): View {
  return { ...view, x: view.x + right * view.w, y: view.y + down * view.h }
}

/** The window has another size: things stay as large as they were. */
export function resized(view: View, old: Size, now: Size): View {
  return { ...view, w: (view.w * now.w) / old.w, h: (view.w / old.w) * now.h }
}

/** What lies at a point of the window. */
export function onPage(view: View, frame: Frame, at: Client): Point {
  return [view.x + ((at.clientX - frame.left) / frame.width) * view.w, view.y + ((at.clientY - frame.top) / frame.height) * view.h]
}

/** Two fingers on the page: how far apart they were, the view then, and what lay between them. */
export interface Pinch {
  apart: number
  view: View
  middle: Point
}
const between = (a: Client, b: Client): Client => ({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 })
const apart = (a: Client, b: Client) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)

export function pinchFrom(view: View, frame: Frame, a: Client, b: Client): Pinch {
  return { apart: apart(a, b), view, middle: onPage(view, frame, between(a, b)) }
}

/** What lay between the fingers stays between them. */
export function pinched(from: Pinch, frame: Frame, a: Client, b: Client): View {
  const f = from.apart / Math.max(20, apart(a, b))
  const w = Math.min(Math.max(from.view.w * f, 80), 4000)
  const h = (w / from.view.w) * from.view.h
  const { clientX, clientY } = between(a, b)
  return { x: from.middle[0] - ((clientX - frame.left) / frame.width) * w, y: from.middle[1] - ((clientY - frame.top) / frame.height) * h, w, h }
}

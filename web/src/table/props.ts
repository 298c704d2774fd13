// What the table is told by the page around it.

import type { Draft } from '../draft.svelte'
import type { Point } from '../drawing/geometry'
import type { Line, Scene } from '../wire.svelte'
import type { Aids } from './aids.svelte'

export interface Spotted {
  key: string
  at: Point
  label: string
}

/** Where something was let go, in pixels of the window; with `more` there is another leg to come. */
export interface Dropped {
  x: number
  y: number
  more?: boolean
}

export interface TableProps {
  scene: Scene
  measure: string
  armies: string[]
  /** Units, figures, markers and pieces that can be clicked now. */
  lit?: Set<string>
  /** Those that are chosen. */
  chosen?: Set<string>
  /** Those somebody points at elsewhere on the page. */
  shown?: Set<string>
  /** Options that are places. */
  spots?: Spotted[]
  /** Whom the question is about. */
  subject?: string
  draft?: Draft | null
  measuring?: boolean
  grid?: boolean
  /** What the server lends the eye. */
  aids?: Aids | null
  threats?: boolean
  /** No length may be shown: nobody measures before he has decided. */
  blind?: boolean
  /** It is seen by who sits at the far edge. */
  far?: boolean
  /** What happened last: the ways figures went. */
  log?: Line[]
  /** Who throws dice at whom just now, by unit. */
  shot?: [string, string] | null
  /** Something was clicked, and where in the window. */
  onpick?: (ids: string[], at?: { x: number; y: number }) => void
  /** Whether a unit may be dragged although no move is asked for yet, and that it is. */
  mayGrab?: (unit: string) => boolean
  ongrab?: (unit: string) => void
  onspot?: (key: string) => void
  ondrop?: (over?: string, at?: Dropped) => void
  onhover?: (unit: string | null) => void
  /** A bare spot of the table was touched, in millimetres. */
  onground?: (at: Point) => void
}

export const NOTHING: ReadonlySet<string> = new Set()

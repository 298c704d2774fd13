// What keys do at the table.

import { asMarch } from '../draft.svelte'
import type { Point } from '../drawing/geometry'
import type Table from '../Table.svelte'
import type { Asking } from './asking.svelte'

const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }

/** What the page around the table does when it is asked to by a key. */
export interface Desk {
  asking: Asking
  table: () => Table | undefined
  /** Whether a key was for the film that is looked at. */
  film: (event: KeyboardEvent) => boolean
  reviewing: () => boolean
  /** Whether the focus is where it is because somebody clicked there. */
  clicked: () => boolean
  /** Whether the table is seen from its far edge. */
  far: () => boolean
  /** How far a press of an arrow moves what is held, in millimetres. */
  step: () => number
  /** Close what lies on top; false if nothing did. */
  close: () => boolean
  closeRules: () => void
  /** Give the answer that is made; false if there is none to give. */
  confirm: () => boolean
  press: (n: number) => void
  acts: Record<string, () => void>
}

/** Where letters are written; not where one ticks, slides or picks from a list. */
const isText = (target: HTMLElement) => target.tagName === 'TEXTAREA' || (target.tagName === 'INPUT' && !/^(checkbox|radio|range|button)$/.test((target as HTMLInputElement).type))

export function pressed(event: KeyboardEvent, desk: Desk): void {
  const target = event.target as HTMLElement
  const typing = isText(target)
  const sliding = target.tagName === 'SELECT' || (target as HTMLInputElement).type === 'range'
  const { draft } = desk.asking
  const table = desk.table()
  if (desk.film(event)) return
  if (event.key in ARROWS && table && (event.altKey || !draft) && !typing && !sliding) {
    event.preventDefault()
    return table.pan(...ARROWS[event.key])
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing) {
    if (event.key === 'Escape') desk.closeRules()
    return
  }
  if (event.key in ARROWS && sliding) return
  if (event.key in ARROWS && draft && !desk.reviewing()) {
    event.preventDefault()
    const march = asMarch(draft)
    // What lies there goes as one sees it, a block that marches as it looks.
    const by = desk.step() * (event.shiftKey ? 0.2 : 1) * (desk.far() && (!march || march.how === 'place') ? -1 : 1)
    const [dx, dy] = ARROWS[event.key]
    const held = document.activeElement?.getAttribute('data-figure')
    const ids = held && draft.has(held) ? draft.block(held) : draft.figures.filter((f) => f in draft.spots)
    return draft.shift(ids, draft.spots, dx * by, dy * by)
  }
  if (event.key === 'Escape') {
    if (desk.close()) return
    table?.cancel()
    return draft?.reset()
  }
  if (event.key === 'Enter') {
    // It belongs to the question wherever the focus is, unless that is on an answer, or somebody has gone with keys to one of the
    // question's own buttons; what else is in focus has Space.
    if (!desk.clicked() && target.closest('.question button')) return
    if (target.closest('.question .option, .choices, a[href], [role="dialog"], dialog') || event.repeat) return
    if (desk.confirm()) event.preventDefault()
    return
  }
  if (/^[1-9]$/.test(event.key)) return desk.press(Number(event.key))
  const acts: Record<string, () => void> = {
    l: () => table?.lineUp(),
    j: () => draft?.mayJump && draft.leap(),
    c: () => draft?.mayJump && draft.corner(),
    d: () => draft?.mayEnter && draft.enter(),
    backspace: () => asMarch(draft)?.back(),
    n: () => asMarch(draft)?.next(),
    w: () => draft && (draft.whole = !draft.whole),
    '+': () => table?.zoom(0.8),
    '=': () => table?.zoom(0.8),
    '-': () => table?.zoom(1.25),
    '0': () => table?.whole(),
    '[': () => table?.turn(Math.PI / 12),
    ']': () => table?.turn(-Math.PI / 12),
    ...desk.acts,
  }
  const act = acts[event.key.toLowerCase()]
  if (!act) return
  event.preventDefault()
  act()
}

import { describe, expect, test } from 'vitest'
import { fitting, MARGIN, onPage, pinched, pinchFrom, resized, shifted, zoomed, type View } from '../src/table/view'

const PAGE = { w: 1000, h: 600 }
const VIEW: View = { x: 100, y: 50, w: 400, h: 300 }
const FRAME = { left: 20, top: 10, width: 800, height: 600 }

test('the whole table fits into a window of any shape, in its middle', () => {
  for (const window of [{ w: 800, h: 600 }, { w: 300, h: 900 }, { w: 1900, h: 400 }]) {
    const view = fitting(PAGE, window)
    expect(view.w / view.h).toBeCloseTo(window.w / window.h)
    expect(view.w).toBeGreaterThanOrEqual(PAGE.w + 2 * MARGIN - 1e-9)
    expect(view.h).toBeGreaterThanOrEqual(PAGE.h + 2 * MARGIN - 1e-9)
    expect([view.x + view.w / 2, view.y + view.h / 2]).toEqual([PAGE.w / 2, PAGE.h / 2].map((n) => expect.closeTo(n)))
  }
})

test('what one zooms at stays where it is in the window', () => {
  const at = onPage(VIEW, FRAME, { clientX: 620, clientY: 160 })
  const nearer = zoomed(VIEW, at, 0.5, PAGE)
  expect(nearer.w).toBeCloseTo(200)
  expect(onPage(nearer, FRAME, { clientX: 620, clientY: 160 })).toEqual(at.map((n) => expect.closeTo(n)))
})

test('one comes no nearer than a base and goes no farther than three tables', () => {
  expect(zoomed(VIEW, [0, 0], 1e-6, PAGE).w).toBeCloseTo(0.08 * (PAGE.w + 2 * MARGIN))
  expect(zoomed(VIEW, [0, 0], 1e6, PAGE).w).toBeCloseTo(3 * (PAGE.w + 2 * MARGIN))
})

test('a window that grows shows more of the table, as large as it was', () => {
  const view = resized(VIEW, { w: 800, h: 600 }, { w: 800, h: 450 })
  expect(view).toEqual({ x: 100, y: 50, w: 400, h: 225 })
})

test('panning goes by shares of the window', () => {
  expect(shifted(VIEW, 0.5, -0.1)).toEqual({ x: 300, y: 20, w: 400, h: 300 })
})

describe('two fingers', () => {
  const [a, b] = [{ clientX: 200, clientY: 300 }, { clientX: 400, clientY: 300 }]
  const from = pinchFrom(VIEW, FRAME, a, b)

  test('what lay between them stays between them, twice as large when they are twice as far apart', () => {
    const [c, d] = [{ clientX: 150, clientY: 240 }, { clientX: 550, clientY: 240 }]
    const view = pinched(from, FRAME, c, d)
    expect(view.w).toBeCloseTo(VIEW.w / 2)
    expect(onPage(view, FRAME, { clientX: 350, clientY: 240 })).toEqual(from.middle.map((n) => expect.closeTo(n)))
  })

  test('fingers on one spot do not blow the table up without end', () => {
    expect(pinched(from, FRAME, a, a).w).toBeCloseTo(4000)
  })
})

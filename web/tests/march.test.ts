import { expect, test, vi } from 'vitest'
import { March } from '../src/table/march.svelte'
import type { Decision, Guide, Scene, Seat } from '../src/wire.svelte'

const seat = { blind: () => false, try: vi.fn(() => new Promise(() => {})) } as unknown as Seat
const scene = { units: [], table: { width: 1200, depth: 900, pieces: [] } } as unknown as Scene

function block(how: Decision['how'] = 'march', guide: Partial<Guide> = {}): March {
  return new March(
    seat,
    {
      kind: 'move figures',
      figures: ['guard'],
      blocks: { guard: [600, 400, 0] },
      bodies: { guard: { width: 120, depth: 80, parts: [] } },
      how,
      guide: { stands: [['one', -30, 0, 60, 80], ['two', 30, 0, 60, 80]], reach: 150, aside: 75, chord: false, edge: null, poses: [], ...guide },
    } as unknown as Decision,
    scene,
  )
}

function drag(march: March, handle: Parameters<March['pull']>[0], from: [number, number], to: [number, number]): void {
  march.grip(from)
  march.pull(handle, to)
  march.letGo()
}

test('dragged, a block goes straight ahead or aside, never askew', () => {
  const march = block()
  drag(march, 'body', [600, 400], [610, 460])
  expect(march.pose).toEqual({ x: 600, y: 460, facing: 0 })
  drag(march, 'body', [600, 460], [640, 465])
  expect(march.pose).toEqual({ x: 640, y: 460, facing: 0 })
  expect(march.used).toBeCloseTo(100)
  expect(march.allowed).toBe(75)
})

test('a leg that would go a little too far is held at what is left', () => {
  const march = block()
  drag(march, 'body', [600, 400], [600, 560])
  expect(march.used).toBeCloseTo(150)
})

test('pulled back along its way the last leg is shortened', () => {
  const march = block()
  drag(march, 'body', [600, 400], [600, 500])
  drag(march, 'body', [600, 500], [600, 460])
  expect(march.legs).toHaveLength(1)
  expect(march.used).toBeCloseTo(60)
})

test('a front corner wheels it about the other one, and the outer corner is what is measured', () => {
  const march = block()
  // The right corner goes ahead: it wheels to the left about the left one, at (540, 440).
  drag(march, 'right', [660, 440], [540 + 120 * Math.cos(0.5), 440 + 120 * Math.sin(0.5)])
  expect(march.pose.facing).toBeCloseTo(0.5)
  expect(march.used).toBeCloseTo(60)
  const answer = march.answer() as Record<string, number[][]>
  expect(answer.guard).toHaveLength(2)
  expect(answer.guard[1][2]).toBeCloseTo(0.5)
})

test('the last leg is taken back, and at the beginning nothing is answered', () => {
  const march = block()
  march.step('ahead', 50)
  march.step('rightward', 20)
  march.back()
  expect(march.pose).toEqual({ x: 600, y: 450, facing: 0 })
  march.back()
  expect(march.answer()).toEqual({})
})

test('quarter turns are caught', () => {
  const march = block('turn')
  drag(march, 'knob', [600, 480], [680.5, 401])
  expect(march.pose.facing).toBeCloseTo(-Math.PI / 2)
})

test('who comes in slides along his edge and straight in from there', () => {
  const march = block('march', { edge: [[100, 0, 0], [1100, 0, 0]] })
  march.begin = { x: 600, y: 0, facing: 0 }
  march.legs = []
  drag(march, 'body', [600, 0], [700, 90])
  expect(march.begin.x).toBeCloseTo(700)
  expect(march.pose).toEqual({ x: expect.closeTo(700), y: expect.closeTo(90), facing: 0 })
  drag(march, 'body', [700, 90], [5000, 90])
  expect(march.begin.x).toBeCloseTo(1100)
})

test('what is put somewhere falls into a place that is known to be legal', () => {
  const march = block('place', { poses: [[300, 300, 1], [900, 300, 0]] })
  drag(march, 'body', [600, 400], [890, 310])
  expect(march.pose).toEqual({ x: 900, y: 300, facing: 0 })
  march.next()
  expect(march.pose).toEqual({ x: 300, y: 300, facing: 1 })
})

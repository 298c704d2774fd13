import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Draft } from '../src/draft.svelte'
import type { Point } from '../src/drawing/geometry'
import { Camera } from '../src/table/camera.svelte'
import { Pointer, type Hold, type Touch, type Under } from '../src/table/pointer.svelte'

// A page of 800 by 600 in a window of the same size, whose units are millimetres.
const FRAME = { left: 0, top: 0, width: 800, height: 600 } as DOMRect

function touch(clientX: number, clientY: number, more: Partial<Touch> = {}): Touch {
  return { pointerId: 1, pointerType: 'mouse', shiftKey: false, clientX, clientY, ...more }
}

/** A draft of two figures, one at (100, 100). */
function drafted() {
  const spots = { a: { x: 100, y: 100, facing: null }, b: { x: 140, y: 100, facing: null } }
  return { spots, dragging: false, verdict: null, has: (id: string) => id in spots, block: () => ['a', 'b'], shift: vi.fn(), set: vi.fn() }
}

let camera: Camera
let draft: ReturnType<typeof drafted> | null
let measuring: boolean
const seen = { pick: vi.fn(), pickThing: vi.fn(), spot: vi.fn(), drop: vi.fn(), hover: vi.fn(), mayGrab: vi.fn(() => false), grab: vi.fn((): unknown => null) }
const tape = { pulling: false, begin: vi.fn(() => (tape.pulling = true)), pull: vi.fn(), forget: vi.fn() }
const troops = { sheet: { scale: 1, back: (x: number, y: number): Point => [x, y] }, march: null, byId: new Map([['f', { unit: { id: 'u' } }]]), figures: [], at: vi.fn(() => null), nearest: vi.fn((): string | undefined => undefined) }

function pointer(): Pointer {
  return new Pointer({ camera, troops, tape, draft: () => draft as unknown as Draft | null, measuring: () => measuring, ...seen } as unknown as Hold)
}
const nothing = (): Under => ({})

beforeEach(() => {
  vi.clearAllMocks()
  troops.nearest.mockReturnValue(undefined)
  seen.mayGrab.mockReturnValue(false)
  tape.pulling = false
  draft = null
  measuring = false
  camera = new Camera(() => ({ w: 800, h: 600 }))
  camera.view = camera.drawn = { x: 0, y: 0, w: 800, h: 600 }
  vi.spyOn(camera, 'frame').mockReturnValue(FRAME)
  vi.useFakeTimers()
})

describe('nothing is moved', () => {
  test('a click picks what lies under it: a place before a figure, a figure before a thing', () => {
    const one = pointer()
    for (const under of [{ spot: 's', figure: 'f', thing: 't' }, { figure: 'f', thing: 't' }, { thing: 't' }]) {
      one.down(touch(10, 10), under)
      one.up(touch(11, 10), () => under)
    }
    expect(seen.spot.mock.calls).toEqual([['s']])
    expect(seen.pick.mock.calls.map(([id]) => id)).toEqual(['f'])
    expect(seen.pickThing.mock.calls).toEqual([['t']])
  })

  test('a pull pans, and picks nothing', () => {
    const one = pointer()
    one.down(touch(100, 100), { figure: 'f' })
    one.move(touch(130, 90), nothing)
    one.up(touch(130, 90), () => ({ figure: 'f' }))
    expect([camera.view.x, camera.view.y]).toEqual([-30, 10])
    expect(seen.pick).not.toHaveBeenCalled()
  })

  test('a finger beside a base takes the nearest that is lit', () => {
    troops.nearest.mockReturnValue('near')
    const one = pointer()
    one.down(touch(10, 10, { pointerType: 'touch' }), {})
    one.up(touch(10, 10, { pointerType: 'touch' }), nothing)
    expect(seen.pick.mock.calls.map(([id]) => id)).toEqual(['near'])
  })

  test('two fingers zoom, and what was begun with the first is forgotten', () => {
    const one = pointer()
    one.down(touch(300, 300, { pointerType: 'touch' }), {})
    expect(one.down(touch(500, 300, { pointerId: 2, pointerType: 'touch' }), {})).toBe(false)
    one.move(touch(700, 300, { pointerId: 2, pointerType: 'touch' }), nothing)
    expect(camera.view.w).toBeCloseTo(400)
    one.up(touch(700, 300, { pointerId: 2 }), nothing)
    one.up(touch(300, 300), () => ({ figure: 'f' }))
    expect(seen.pick).not.toHaveBeenCalled()
  })

  test('whose unit lies under it is told once', () => {
    const one = pointer()
    one.move(touch(1, 1), () => ({ unit: 'u' }))
    one.move(touch(2, 2), () => ({ unit: 'u' }))
    one.move(touch(3, 3), nothing)
    expect(seen.hover.mock.calls).toEqual([['u'], [null]])
  })
})

describe('a unit that is ready', () => {
  test('is in hand once it is dragged, and follows from there', () => {
    seen.mayGrab.mockReturnValue(true)
    seen.grab.mockImplementation(() => {
      draft = { ...drafted(), spots: { f: { x: 100, y: 100, facing: null } } as never, has: () => true, block: () => ['f'] }
      return draft
    })
    const one = pointer()
    one.down(touch(100, 100), { figure: 'f' })
    expect(seen.grab).not.toHaveBeenCalled()
    one.move(touch(130, 100), nothing)
    expect(seen.grab).toHaveBeenCalledWith('u')
    expect(draft?.shift).toHaveBeenCalledWith(['f'], draft?.spots, 30, 0)
    expect([camera.view.x, camera.view.y]).toEqual([0, 0])
    one.up(touch(130, 100), nothing)
    expect(seen.drop).toHaveBeenCalledOnce()
  })

  test('is picked if it is only clicked', () => {
    seen.mayGrab.mockReturnValue(true)
    const one = pointer()
    one.down(touch(100, 100), { figure: 'f' })
    one.up(touch(101, 100), () => ({ figure: 'f' }))
    expect(seen.grab).not.toHaveBeenCalled()
    expect(seen.pick.mock.calls.map(([id]) => id)).toEqual(['f'])
  })
})

describe('figures are moved', () => {
  test('they follow the pointer together, and are dropped', () => {
    draft = drafted()
    const one = pointer()
    one.down(touch(100, 100), { figure: 'a' })
    one.move(touch(102, 101), nothing)
    expect(draft.shift).not.toHaveBeenCalled()
    one.move(touch(150, 80), nothing)
    expect(draft.shift).toHaveBeenCalledWith(['a', 'b'], draft.spots, 50, -20)
    expect(draft.dragging).toBe(true)
    expect(one.at).toEqual({ x: 150, y: 80 })
    one.up(touch(150, 80), nothing)
    expect(seen.drop).toHaveBeenCalledOnce()
    expect([one.drag, one.at, draft.dragging]).toEqual([null, null, false])
  })

  test('with Shift one goes alone; one that stands still is picked', () => {
    draft = drafted()
    const one = pointer()
    one.down(touch(100, 100, { shiftKey: true }), { figure: 'a' })
    one.move(touch(120, 100), nothing)
    expect(draft.shift.mock.lastCall?.[0]).toEqual(['a'])
    one.up(touch(120, 100), nothing)
    one.down(touch(100, 100), { figure: 'a' })
    one.up(touch(100, 100), nothing)
    expect(seen.pick.mock.calls.map(([id]) => id)).toEqual(['a'])
    expect(seen.drop).toHaveBeenCalledOnce()
  })

  test('a second finger puts back what the first one drags', () => {
    draft = drafted()
    const one = pointer()
    one.down(touch(100, 100), { figure: 'a' })
    one.move(touch(150, 80), nothing)
    one.down(touch(300, 300, { pointerId: 2 }), {})
    expect(draft.set).toHaveBeenCalledWith(draft.spots)
    expect(one.drag).toBeNull()
  })

  test('under a finger that drags the table stays where it is, whatever becomes of the window', () => {
    draft = drafted()
    let resize: (entries: { contentRect: { width: number; height: number } }[]) => void = () => {}
    vi.stubGlobal('ResizeObserver', class { constructor(seen: typeof resize) { resize = seen } observe() {} disconnect() {} })
    camera.watch({} as Element)
    resize([{ contentRect: { width: 800, height: 600 } }])
    const one = pointer()
    const before = camera.view
    one.down(touch(100, 100), { figure: 'a' })
    one.move(touch(150, 80), nothing)
    resize([{ contentRect: { width: 800, height: 450 } }])
    expect([camera.view.x, camera.view.y, camera.view.w]).toEqual([before.x, before.y, expect.closeTo(before.w)])
    one.up(touch(150, 80), nothing)
    expect(camera.view.w / camera.view.h).toBeCloseTo(800 / 450)
    expect(camera.view.h).toBeGreaterThan(600)
  })
})

test('the tape is drawn out from where it was laid, and stays when it is let go', () => {
  measuring = true
  draft = drafted()
  const one = pointer()
  one.down(touch(100, 100), { figure: 'a' })
  one.move(touch(300, 200), nothing)
  expect(tape.begin).toHaveBeenCalledWith([100, 100], null)
  expect(tape.pull).toHaveBeenCalledWith([300, 200], null)
  one.up(touch(300, 200), nothing)
  expect([tape.pulling, seen.drop.mock.calls.length, seen.pick.mock.calls.length]).toEqual([false, 0, 0])
})

test('a pointer that the window takes away leaves nothing behind', () => {
  draft = drafted()
  const one = pointer()
  one.down(touch(100, 100), { figure: 'a' })
  one.move(touch(150, 80), nothing)
  one.lose()
  expect(draft.set).toHaveBeenCalledWith(draft.spots)
  one.up(touch(150, 80), () => ({ figure: 'a' }))
  expect(seen.pick).not.toHaveBeenCalled()
})

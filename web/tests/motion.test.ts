import { expect, test } from 'vitest'
import { happened } from '../src/table/motion'
import type { Figure, Line, Scene, Unit } from '../src/wire.svelte'

const figure = (id: string, x: number, y: number, wounds = 0) => ({ id, x, y, wounds }) as Figure
const unit = (figures: Figure[], more: Partial<Unit> = {}) => ({ id: 'u', reserve: null, figures, fallen: [], ...more }) as unknown as Unit
const scene = (...units: Unit[]) => ({ units }) as Scene
const line = (event: Record<string, unknown>) => ({ event }) as Line

test('figures glide along the way that was told, the others straight', () => {
  const old = scene(unit([figure('a', 0, 0), figure('b', 0, 30), figure('c', 5, 5)]))
  const now = scene(unit([figure('a', 100, 0), figure('b', 100, 30), figure('c', 5, 5)]))
  const found = happened(old, now, [line({ paths: { a: [[0, 0], [2, 2], [4, 0]] } })], 25)
  expect(found.moved).toEqual([['a', [[0, 0], [50, 50], [100, 0], [100, 0]]], ['b', [[0, 30], [100, 30]]]])
  expect(found.hurt).toEqual([])
})

test('who bleeds and who falls, once', () => {
  const old = scene(unit([figure('a', 0, 0), figure('b', 0, 30)]))
  const now = scene(unit([figure('a', 0, 0, 1)], { fallen: [{ id: 'b', x: 0, y: 30, radius: 10 }, { id: 'long ago', x: 0, y: 0, radius: 10 }] }))
  expect(happened(old, now, [], 25).hurt).toEqual(['a', 'b'])
})

test('who comes out of reserve has come from nowhere', () => {
  const old = scene(unit([figure('a', 0, 0)], { reserve: 'later' }))
  expect(happened(old, scene(unit([figure('a', 100, 0)])), [], 25).moved).toEqual([])
})

test('a block wheels through the poses of its march', () => {
  const block = (x: number, facing: number) => unit([figure('a', x, 0)], { block: { x, y: 0, facing, width: 100, depth: 50 } })
  const found = happened(scene(block(0, 0)), scene(block(60, 1)), [line({ regiment: 'u', path: [[0, 0, 0], [50, 0, 0], [60, 0, 1]] })], 25)
  expect(found.wheeled).toHaveLength(1)
  expect(found.wheeled[0][1].map((pose) => [pose.x, pose.facing])).toEqual([[0, 0], [50, 0], [60, 1]])
  expect(found.moved).toEqual([])
})

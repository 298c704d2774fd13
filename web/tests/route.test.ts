import { expect, test } from 'vitest'
import type { Point } from '../src/drawing/geometry'
import type { TableData } from '../src/drawing/terrain'
import { hexesBetween, strays } from '../src/table/aids.svelte'
import { billOf, lengthOf, linesOf, restOf } from '../src/table/route'
import type { Cost } from '../src/wire.svelte'

const TABLE = {
  width: 1000,
  depth: 1000,
  pieces: [],
  openings: [{ id: 'door', mouths: [['', 100, 90, 100, 110, 0], ['room', 2000, 90, 2000, 110, 0]] }],
} as unknown as TableData

test('a way is as long as its legs', () => {
  expect(lengthOf([[0, 0], [30, 40], [30, 100]])).toBeCloseTo(110)
  expect(lengthOf([[5, 5]])).toBe(0)
})

test('what is left of a move, and how much too far a way is', () => {
  expect(restOf(100, 150)).toEqual({ left: 50 })
  expect(restOf(150.04, 150)).toEqual({ left: 0 })
  expect(restOf(160, 150)).toEqual({ over: 10 })
  expect(restOf(160, 0)).toBeNull()
})

test('at a door to another board one line ends and the next begins', () => {
  const way = [[50, 100], [2050, 100, 'door']] as unknown as Point[]
  expect(linesOf(way, TABLE)).toEqual([[[50, 100], [100, 100]], [[2000, 100], [2050, 100]]])
  expect(linesOf([[0, 0], [10, 0]], TABLE)).toEqual([[[0, 0], [10, 0]]])
})

test('hexes are counted from cell to cell', () => {
  const grid = { width: 40, x0: 20, y0: 20 }
  const across = (40 * Math.sqrt(3)) / 2
  expect(hexesBetween(grid, [20, 20], [20, 100])).toBe(2)
  expect(hexesBetween(grid, [20, 20], [20 + 3 * across, 20 + 60])).toBe(3)
})

test('who has lost touch with the unit: too far from the next one, from all, from the leader', () => {
  const at = (id: string, x: number) => ({ id, x, y: 0, r: 10 })
  expect(strays([at('a', 0), at('b', 40), at('c', 90)], { nearest: 25 })).toEqual(new Set(['c']))
  expect(strays([at('a', 0), at('b', 40), at('c', 80)], { nearest: 25, farthest: 50 })).toEqual(new Set(['a', 'c']))
  expect(strays([at('a', 0), at('b', 200)], { nearest: 999, leader: 'a', round_leader: 150 })).toEqual(new Set(['b']))
  expect(strays([at('a', 0)], { nearest: 25 })).toEqual(new Set())
})

test('plain lengths one after the other are one part of a bill', () => {
  const part = (length: number, text: string, kind = ''): Cost => ({ at: [0, 0], length, words: [{ text, ...(kind ? { kind } : {}) }] })
  const told = (length: number) => `${Math.round(length * 10) / 10}"`
  const bent = [part(1.2, '1.2"', 'length'), part(0.2, '0.2"', 'length'), part(2, 'up 2": 2"'), part(0.5, '0.5"', 'length')]
  expect(billOf(bent, told)).toEqual(['1.4"', 'up 2": 2"', '0.5"'])
  expect(billOf(bent.slice(0, 2), told)).toEqual(['1.4"'])
  expect(billOf([], told)).toEqual([])
})

import { expect, test } from 'vitest'
import { answered, budgets, given, isFull, isWhole, none } from '../src/question/shares'
import { ticked } from '../src/question/ticks'
import { standsAgainst } from '../src/table/against'
import type { Decision, Figure, Scene } from '../src/wire.svelte'

test('a tick comes and goes, and the one that was there first gives way where no more may be picked', () => {
  expect(ticked(['a'], 'b')).toEqual(['a', 'b'])
  expect(ticked(['a', 'b'], 'a')).toEqual(['b'])
  expect(ticked(['a', 'b'], 'c', 2)).toEqual(['b', 'c'])
  expect(ticked([], 'a', 0)).toEqual(['a'])
})

const dice = {
  least: 1,
  most: 4,
  slots: { attack: 3, defence: 3 },
  groups: [
    { key: 'all', slots: ['attack', 'defence'], least: 0, most: 3, words: [] },
    { key: 'defend', slots: ['defence'], least: 1, most: null, words: [] },
  ],
} as unknown as Decision

test('what is shared out keeps to every budget', () => {
  const shares = { ...none(dice), attack: 2 }
  expect(given(shares)).toBe(2)
  expect(budgets(dice, shares).map(({ spent, kept }) => [spent, kept])).toEqual([[2, 1], [0, Infinity]])
  // Somebody has to defend.
  expect(isWhole(dice, shares)).toBe(false)
  expect(isWhole(dice, { attack: 2, defence: 1 })).toBe(true)
  expect(isWhole(dice, { attack: 3, defence: 1 })).toBe(false)
  expect(isWhole(dice, none(dice))).toBe(false)
  expect(isFull(dice, { attack: 2, defence: 0 }, 'attack')).toBe(false)
  expect(isFull(dice, { attack: 2, defence: 1 }, 'attack')).toBe(true)
  expect(answered({ attack: 2, defence: 0 })).toEqual({ attack: 2 })
})

const figure = (id: string, x: number, y: number, z = 0): Figure => ({ id, x, y, z, base: { radius: 10 } }) as Figure
const scene = { units: [{ id: 'enemy', figures: [figure('e', 100, 100)] }] } as unknown as Scene

test('who is dropped on somebody stands against him, on the side he was dropped at', () => {
  const charger = figure('c', 0, 100)
  const at = standsAgainst(scene, 'enemy', charger, { x: 100, y: 92, facing: null })
  expect(at?.x).toBeCloseTo(100)
  expect(at?.y).toBeCloseTo(79.99)
  // In the middle of him: on the side he came from.
  expect(standsAgainst(scene, 'enemy', charger, { x: 100.2, y: 100, facing: null })?.x).toBeCloseTo(79.99)
  // Beside him he stays where he is, and nobody stands against one on another floor.
  expect(standsAgainst(scene, 'enemy', charger, { x: 100, y: 79, facing: null })).toBeNull()
  expect(standsAgainst(scene, 'enemy', figure('c', 0, 100, 50), { x: 100, y: 92, facing: null })).toBeNull()
})

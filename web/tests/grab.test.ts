import { expect, test } from 'vitest'
import { meant } from '../src/table/grab.svelte'
import type { Way } from '../src/wire.svelte'

const way = (leads: Way['leads'], reach: number, ...keys: string[]): Way => ({ leads, ...(reach ? { reach } : {}), answers: keys.map((key) => ['ask', key]) })

test('of several moves the one that just reaches is meant, and the farthest where none does', () => {
  const ways = [way('move', 300, 'unit', 'rush'), way('move', 150, 'unit', 'advance'), way('strike', 0, 'unit', 'charge')]
  expect(meant(ways, 100)?.answers.at(-1)).toEqual(['ask', 'advance'])
  expect(meant(ways, 200)?.answers.at(-1)).toEqual(['ask', 'rush'])
  expect(meant(ways, 900)?.answers.at(-1)).toEqual(['ask', 'rush'])
})

test('what takes fewer answers is meant before what takes more, and a march before what goes nowhere', () => {
  const ways = [way('move', 0, 'reform'), way('move', 150, 'aim', 'march'), way('move', 150, 'march')]
  expect(meant(ways, 100)?.answers).toEqual([['ask', 'march']])
})

test('where no move is open yet, what all ways begin with is answered, and nothing if they differ', () => {
  expect(meant([way('ask', 0, 'fighter', '1'), way('ask', 0, 'fighter', '2')], 50)).toEqual({ answers: [['ask', 'fighter']], leads: 'ask' })
  expect(meant([way('ask', 0, 'a'), way('ask', 0, 'b')], 50)).toBeNull()
  expect(meant([], 50)).toBeNull()
})

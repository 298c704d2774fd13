// What is shared out: how much of each budget is spent, and whether it may be given so.

import type { Decision, Group } from '../wire.svelte'

export type Shares = Record<string, number>

export interface Budget {
  group: Group
  spent: number
  /** What is kept back; endless where nothing bounds it. */
  kept: number
}

const sum = (slots: string[], by: Shares) => slots.reduce((all, slot) => all + (by[slot] ?? 0), 0)

export const none = (decision: Decision): Shares => Object.fromEntries(Object.keys(decision.slots ?? {}).map((slot) => [slot, 0]))

export const given = (shares: Shares): number => sum(Object.keys(shares), shares)

export function budgets(decision: Decision, shares: Shares): Budget[] {
  return (decision.groups ?? []).map((group) => {
    const spent = sum(group.slots, shares)
    return { group, spent, kept: (group.most ?? Infinity) - spent }
  })
}

/** Whether no more can be put there. */
export const isFull = (decision: Decision, shares: Shares, slot: string): boolean =>
  given(shares) >= (decision.most ?? Infinity) || budgets(decision, shares).some(({ group, kept }) => kept <= 0 && group.slots.includes(slot))

/** Whether it may be given so. */
export function isWhole(decision: Decision, shares: Shares): boolean {
  const all = given(shares)
  const within = budgets(decision, shares).every(({ group, spent, kept }) => spent >= group.least && kept >= 0)
  return within && all >= (decision.least ?? 0) && all <= (decision.most ?? Infinity)
}

/** What is answered: only where something was put. */
export const answered = (shares: Shares): Shares => Object.fromEntries(Object.entries(shares).filter(([, n]) => n > 0))

// What is told of a battle that is over, made from its log and from what the server says fell when.

import type { Line, Scene, Unit } from '../wire.svelte'

export interface Moment {
  n: number
  until: number
  round: number
  side: number
  swing: number
  lost: number[]
  gained: number[]
}
export interface Story {
  moments: Moment[]
  fallen: { n: number; unit: string; side: number; figures: number }[]
  /** Swings are chances to win. */
  chances: boolean
}

/** The line of the log that a moment begins with. */
export function headOf(log: Line[], moment: Moment): Line | undefined {
  const lines = log.filter((line) => line.n === moment.n && line.words.length > 0)
  const heads = lines.filter((line) => line.head)
  // Figures fall by what was begun there; points are counted where something came to its end.
  return (moment.lost.some((n) => n > 0) ? heads.at(-1) : heads[0]) ?? lines.find((line) => !line.aside)
}

/** How many answers may lie between dice and those who fell by them. */
const SOON = 12

/** The unit to whose dice most enemies fell: of each loss, the last dice before it that named the loser and an enemy. */
export function bestUnit(story: Story, log: Line[], scene: Scene): { unit: Unit; figures: number } | null {
  const unitOf = new Map<string, Unit>()
  for (const unit of scene.units) {
    unitOf.set(unit.id, unit)
    for (const figure of unit.figures) unitOf.set(figure.id, unit)
  }
  const felled = new Map<Unit, number>()
  for (const fall of story.fallen) {
    for (let i = log.length - 1; i >= 0; i--) {
      const line = log[i]
      if (line.n > fall.n || !line.dice?.length) continue
      if (line.n < fall.n - SOON) break
      const named = line.words.flatMap((span) => (span.ref !== undefined ? (unitOf.get(span.ref) ?? []) : []))
      const enemy = named.find((unit) => unit.side !== fall.side)
      if (!enemy || !named.some((unit) => unit.id === fall.unit)) continue
      felled.set(enemy, (felled.get(enemy) ?? 0) + fall.figures)
      break
    }
  }
  const [best] = [...felled].sort((a, b) => b[1] - a[1])
  return best ? { unit: best[0], figures: best[1] } : null
}

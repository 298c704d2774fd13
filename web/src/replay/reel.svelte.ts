// What is shown one thing after the other, at a speed one sets: a battle looked at again, or what others do in a running one.

import { page } from '../page.svelte'
import type { Line, Scene } from '../wire.svelte'

const BEAT = 450

export abstract class Reel {
  frame = $state(0)
  playing = $state(false)

  abstract get last(): number

  /** Kept by the page; who wants what others do at once looks at a replay at the usual speed. */
  get speed(): number {
    return page.speed || 1
  }

  set speed(speed: number) {
    page.pace(speed)
  }

  jump(to: number): void {
    this.frame = Math.max(0, Math.min(this.last, to))
  }

  /** To be called in an effect: goes on while it plays. */
  run(): (() => void) | void {
    if (!this.playing) return
    const timer = setInterval(() => {
      if (this.frame < this.last) this.frame++
      else this.playing = false
    }, BEAT / this.speed)
    return () => clearInterval(timer)
  }
}

interface Step {
  scene: Scene
  /** How much of the log has been told then. */
  lines: number
  line: Line | null
}

const moves = (line: Line | null): boolean => typeof line?.event.paths === 'object' || Array.isArray(line?.event.path)

/** What others have done since one's last answer, event by event. */
export class Turn extends Reel {
  private steps = $state.raw<Step[]>([])
  private done = $state(false)

  get last(): number {
    return Math.max(0, this.steps.length - 1)
  }

  get empty(): boolean {
    return !this.steps.length
  }

  get now(): Step | null {
    return this.playing ? (this.steps[this.frame] ?? null) : null
  }

  /** The last lines that led to where the battle is now. */
  get led(): Line[] {
    return this.done ? [] : this.steps.flatMap((step) => (step.line ? [step.line] : [])).slice(-5)
  }

  /** Whose dice are thrown at whom: the first two units of different sides that the line speaks of. */
  get shot(): [string, string] | null {
    const line = this.now?.line
    if (!line?.dice?.length) return null
    const units = this.now!.scene.units
    const spoken = line.words.flatMap((span) => units.find((u) => span.ref !== undefined && (u.id === span.ref || u.figures.some((f) => f.id === span.ref))) ?? [])
    const other = spoken.find((unit) => unit.side !== spoken[0].side)
    return other ? [spoken[0].id, other.id] : null
  }

  /** One has answered: what is told next begins anew. */
  answered(): void {
    this.skip()
    this.done = true
  }

  clear(): void {
    this.skip()
    this.steps = []
  }

  skip(): void {
    this.playing = false
  }

  again(): void {
    if (this.empty) return
    this.frame = 0
    this.playing = true
  }

  /** Others have acted: the table before and after, what is said of it, and how much had been told before. */
  add(before: Scene, after: Scene, lines: Line[], told: number): void {
    if (this.done) this.steps = []
    this.done = false
    const steps: Step[] = []
    lines.forEach((line, i) => {
      if (!line.aside && line.words.length) steps.push({ scene: before, lines: told + i + 1, line })
    })
    if (!steps.length) steps.push({ scene: after, lines: told + lines.length, line: null })
    // Figures go with the line that tells their way; what else has changed is seen with the last one.
    const way = steps.findIndex((step) => moves(step.line))
    for (let i = way < 0 ? steps.length - 1 : way; i < steps.length; i++) steps[i].scene = after
    steps[steps.length - 1].lines = told + lines.length
    const first = this.steps.length
    this.steps = [...this.steps, ...steps]
    if (this.playing || !page.motion || !page.speed) return
    this.frame = first
    this.playing = true
  }
}

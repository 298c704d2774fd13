// What would come of it: the odds of a question, of the answer in the making, and of an attack one points at.

import type { Odds, Option, Seat } from '../wire.svelte'

export class Prospects {
  /** Of the question that is asked. */
  odds = $state.raw<Odds | null>(null)
  /** Of the answer that is in the making; while it changes, only the last one counts. */
  draft = $state.raw<Odds | null>(null)
  /** Of the attack somebody points at. */
  attack = $state.raw<Record<string, unknown> | null>(null)
  private wantedDraft = ''
  private draftAsked = false
  private readonly attacks = new Map<string, Record<string, unknown> | null>()
  private wanted = ''
  private looking = false

  constructor(
    private readonly seat: Seat,
    /** The question that is asked. */
    private readonly asked: () => string,
  ) {}

  forget(): void {
    this.odds = this.draft = this.attack = null
    this.wantedDraft = this.wanted = ''
  }

  async lookUp(): Promise<void> {
    const then = this.asked()
    const told = await this.seat.patiently('odds', {}, () => then !== this.asked())
    if (then === this.asked() && told.type === 'odds') this.odds = told.odds ?? null
  }

  async lookAtDraft(answer: unknown): Promise<void> {
    this.wantedDraft = answer === undefined ? '' : JSON.stringify(answer)
    if (!this.wantedDraft) this.draft = null
    if (!this.wantedDraft || this.draftAsked) return
    const [then, key] = [this.asked(), this.wantedDraft]
    this.draftAsked = true
    const told = await this.seat.patiently('odds', { answer: JSON.parse(key) }, () => then !== this.asked() || this.wantedDraft !== key)
    this.draftAsked = false
    if (this.wantedDraft !== key) return void this.lookAtDraft(this.wantedDraft ? JSON.parse(this.wantedDraft) : undefined)
    if (then === this.asked()) this.draft = told.type === 'odds' ? (told.odds ?? null) : null
  }

  /** Somebody points at an option: if it is an attack, what would come of it. */
  point(option: Option | null): void {
    this.wanted = ''
    this.attack = null
    if (!option?.strike) return
    const { by, on, charge, way } = option.strike
    this.wanted = JSON.stringify([this.seat.number, by, on, charge, way])
    void this.foresee()
  }

  private async foresee(): Promise<void> {
    if (!this.wanted || this.looking) return
    const key = this.wanted
    if (!this.attacks.has(key)) {
      this.looking = true
      const [, attacker, defender, charge, way] = JSON.parse(key)
      const told = await this.seat.patiently('odds', { attacker, defender, charge, way: way ?? '' }, () => this.wanted !== key)
      this.looking = false
      if (told.why !== 'busy') this.attacks.set(key, told.type === 'odds' ? told.odds : null)
      if (this.wanted !== key) return void this.foresee()
    }
    this.attack = this.attacks.get(key) ?? null
  }
}

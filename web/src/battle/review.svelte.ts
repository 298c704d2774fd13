// What has happened so far, looked at while the battle runs: the film, its marks, and stepping through it.

import { fetchFilm, marksOf, type Film } from '../replay/film.svelte'
import type { Seat } from '../wire.svelte'

export class Review {
  film = $state.raw<Film | null>(null)
  private moment = 0
  private fetching = false
  readonly marks = $derived.by(() => (this.film ? this.film.marks : marksOf(this.seat.log)))

  constructor(
    private readonly seat: Seat,
    private readonly lang: () => string,
    private readonly onfailure: () => void,
  ) {}

  /** Look at what has happened: this moment of it, or the last one. */
  async open(frame = this.seat.number): Promise<void> {
    this.moment = frame
    if (this.fetching) return
    this.fetching = true
    const found = await fetchFilm(this.seat.id, this.seat.secret, this.lang()).catch(() => null)
    this.fetching = false
    if (!found) return this.onfailure()
    found.jump(this.moment)
    this.film = found
  }

  close(): void {
    this.film = null
  }

  /** To this moment of it. */
  jump(frame: number): void {
    if (this.film) this.film.jump(frame)
    else void this.open(frame)
  }

  step(direction: 1 | -1): void {
    if (this.film) this.film.stop(direction)
    else void this.open(this.marks.deeds.findLast((deed) => deed.n < this.seat.number)?.n ?? 0)
  }

  async playOrPause(): Promise<void> {
    if (!this.film) await this.open(0)
    this.film?.toggle()
  }
}

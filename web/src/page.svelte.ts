// What the page remembers from visit to visit: language, light or dark, whether things move and how fast, and the battles somebody sat at.

import type { Others } from './seats'
import type { Lang } from './words'

export interface Kept {
  id: string
  path: string
  title: string
  when: number
  /** The sides one plays there. */
  sides?: number[]
  others?: Others
  /** Its links were shown. */
  linked?: boolean
  /** Whether one sits at the far edge of the table. */
  far?: boolean
  /** A captain was told to deploy for one. */
  deployed?: boolean
}

function stored<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(`oriflamme.${key}`) ?? 'null') as T) ?? otherwise
  } catch {
    return otherwise
  }
}

function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(`oriflamme.${key}`, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing: the page works all the same.
  }
}

class Page {
  lang = $state<Lang>(stored('lang', navigator.language.startsWith('fr') ? 'fr' : 'en'))
  theme = $state<'light' | 'dark'>(
    stored('theme', matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'),
  )
  /** Whether moves glide and dice tumble: as the system has it, until somebody says otherwise here. */
  motion = $state(stored('motion', !matchMedia('(prefers-reduced-motion: reduce)').matches))
  /** How fast a battle is played to who looks on; 0: what others do is there at once. */
  speed = $state(stored('speed', 1))
  /** Whether a first battle shows its hints. */
  hints = $state(stored('hints', true))
  /** What is dropped where it may be is given at once; else it is confirmed. */
  atOnce = $state(stored('atOnce', false))
  /** Whether a captain deploys one's side in every battle. */
  deploys = $state(stored('deploys', false))
  /** Whether dice and drums are heard. */
  noise = $state(stored('noise', false))
  /** Whether the forces are put away beside a table. */
  folded = $state(stored('folded', false))
  /** What one is called, and how one wants to be told that it is one's turn. */
  name = $state(stored('name', ''))
  sound = $state(stored('sound', false))
  notify = $state(stored('notify', false))
  /** The open table at which one waits. */
  table = $state.raw<{ id: string; key: string } | null>(stored('table', null))
  /** Leagues in which one takes part or which one organises, by id: the key of each. */
  leagues = $state.raw<Record<string, { mine?: string; organise?: string }>>(stored('leagues', {}))
  path = $state(location.pathname + location.search)
  battles = $state.raw<Kept[]>(stored('battles', []))

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname + location.search))
  }

  go(path: string): void {
    history.pushState(null, '', path)
    this.path = path
    scrollTo(0, 0)
  }

  speak(lang: Lang): void {
    this.lang = lang
    store('lang', lang)
  }

  shade(): void {
    this.theme = this.theme === 'light' ? 'dark' : 'light'
    store('theme', this.theme)
  }

  still(): void {
    this.motion = !this.motion
    store('motion', this.motion)
  }

  pace(speed: number): void {
    this.speed = speed
    store('speed', speed)
  }

  giveAtOnce(yes: boolean): void {
    this.atOnce = yes
    store('atOnce', yes)
  }

  deploy(yes: boolean): void {
    this.deploys = yes
    store('deploys', yes)
  }

  hear(): void {
    this.noise = !this.noise
    store('noise', this.noise)
  }

  fold(): void {
    this.folded = !this.folded
    store('folded', this.folded)
  }

  hint(shown: boolean): void {
    this.hints = shown
    store('hints', shown)
  }

  callMe(name: string): void {
    this.name = name.slice(0, 30)
    store('name', this.name)
  }

  ring(): void {
    this.sound = !this.sound
    store('sound', this.sound)
  }

  /** The browser asks for leave the first time. */
  async notifyMe(): Promise<void> {
    const wanted = !this.notify && 'Notification' in window && (await Notification.requestPermission()) === 'granted'
    this.notify = wanted
    store('notify', wanted)
  }

  holdKey(league: string, key: { mine?: string; organise?: string }): void {
    this.leagues = { ...this.leagues, [league]: { ...this.leagues[league], ...key } }
    store('leagues', this.leagues)
  }

  wait(table: { id: string; key: string } | null): void {
    this.table = table
    store('table', table)
  }

  keep(battle: Kept): void {
    const known = this.battles.find((b) => b.id === battle.id)
    this.battles = [{ ...known, ...battle }, ...this.battles.filter((b) => b.id !== battle.id)].slice(0, 12)
    store('battles', this.battles)
  }

  forget(id: string): void {
    this.battles = this.battles.filter((b) => b.id !== id)
    store('battles', this.battles)
  }
}

export const page = new Page()

// Clocks: what is agreed on, and what is left of a time.

import { fill, type Lang } from '../words'
import { counted } from '../replay/after.words'
import { LOBBY } from './words'

/** How long each has, and what comes of it when his time has run out. */
export interface Terms {
  kind: 'none' | 'battle' | 'days'
  minutes: number
  days: number
  lost: 'told' | 'claim'
}

/** What is agreed on, in words; nothing where there is no clock. */
export function termsText(terms: Terms | null, lang: Lang): string {
  const l = LOBBY[lang]
  if (!terms || terms.kind === 'none') return ''
  const each = terms.kind === 'battle' ? fill(l.clockBattle, { n: terms.minutes }) : counted(l.clockDays, terms.days, lang)
  return `${each} (${terms.lost === 'claim' ? l.lostClaim : l.lostTold})`
}

/** Seconds as a clock shows them: hours and minutes, minutes and seconds, or days and hours. */
export function face(seconds: number, lang: Lang): string {
  const left = Math.max(0, Math.ceil(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const [day, hour] = [Math.floor(left / 86400), Math.floor(left / 3600)]
  if (day) return `${day} ${lang === 'fr' ? 'j' : 'd'} ${hour % 24} h`
  return hour ? `${hour}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}` : `${Math.floor(left / 60)}:${two(left % 60)}`
}

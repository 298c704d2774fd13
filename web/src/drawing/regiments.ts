// A unit in ranks and files: its stands to scale, front up, drawn round its middle. All in units of the page.

import { drop, livery, rim, star } from './figures'
import { hasIcon, icon } from './icons'
import { escape, INK, num } from './terrain'

export interface Stand {
  id: string
  /** Right of and behind the middle of the block. */
  x: number
  y: number
  width: number
  depth: number
  is: string
  role: string
  wounds: number
  tough: number
}
export interface Ranks {
  side: number
  letter: string
  width: number
  depth: number
  stands: Stand[]
  /** A crack runs through its ranks. */
  cracked: boolean
  woundName: string
}

/** The stands, each with the icon of what it is; the front with its bar and a chevron. Icons stay upright (`.up`). */
export function ranks(unit: Ranks): string {
  const dress = livery(unit.side)
  const [w, d] = [unit.width, unit.depth]
  const parts = [
    `<rect x="${num(-w / 2)}" y="${num(-d / 2)}" width="${num(w)}" height="${num(d)}" fill="${dress.colour}" fill-opacity=".14" stroke="${dress.dark}" stroke-dasharray="4 3" stroke-width=".9"/>`,
  ]
  for (const stand of unit.stands) parts.push(stand.role === 'rider' ? rider(stand, dress.dark) : standing(unit, stand))
  const tip = Math.min(9, w / 7)
  const chevron = `M${num(-tip)} ${num(-d / 2 + 1)}L0 ${num(-d / 2 - tip * 0.95)}L${num(tip)} ${num(-d / 2 + 1)}z`
  parts.push(
    `<path d="M${num(-w / 2)} ${num(-d / 2)}H${num(w / 2)}" stroke="${INK}" stroke-width="3.4" stroke-linecap="round"/>`,
    `<path class="front" d="${chevron}" fill="${dress.colour}" stroke="${INK}" stroke-width="1.4" stroke-linejoin="round"/>`,
  )
  if (unit.cracked) {
    const crack = `M${num(-w / 2)} ${num(-d * 0.05)}l${num(w * 0.3)} ${num(d * 0.18)}l${num(w * 0.16)} ${num(-d * 0.3)}l${num(w * 0.2)} ${num(d * 0.34)}L${num(w / 2)} ${num(-d * 0.05)}`
    parts.push(`<g fill="none" pointer-events="none"><path d="${crack}" stroke="#fff" stroke-width="4.4" opacity=".85"/><path d="${crack}" stroke="${INK}" stroke-width="1.8"/></g>`)
  }
  return parts.join('')
}

function standing(unit: Ranks, stand: Stand): string {
  const dress = livery(unit.side)
  const leads = stand.role === 'character' || stand.role === 'command'
  const [w, d] = [stand.width - 1, stand.depth - 1]
  const ring = (inset: number) =>
    `<rect x="${num(inset - w / 2)}" y="${num(inset - d / 2)}" width="${num(w - 2 * inset)}" height="${num(d - 2 * inset)}" rx="1.5"`
  const r = Math.min(w, d) / 2
  const look = stand.is
  const inside = hasIcon(look)
    ? icon(look, r * 1.5, stand.role === 'character' ? '#ffe9a8' : '#fff')
    : `<text text-anchor="middle" y="${num(r * 0.35)}" font-weight="700" font-size="${num(r)}" fill="#fff">${escape(unit.letter)}</text>`
  return (
    `<g data-figure="${escape(stand.id)}" transform="translate(${num(stand.x)} ${num(stand.y)})">` +
    `${ring(0)} fill="${stand.role === 'character' ? dress.dark : dress.colour}" stroke="${leads ? '#f6c945' : dress.dark}" stroke-width="${leads ? 1.8 : 1}"/>` +
    rim(dress.pattern, ring) +
    `<g class="up">${inside}${stand.role === 'character' ? crown(r) : ''}${hurt(stand, r, unit.woundName)}</g></g>`
  )
}

/** Somebody who rides what is there: a coin on its shoulder. */
function rider(stand: Stand, dark: string): string {
  const r = Math.min(stand.width, stand.depth) / 5
  return (
    `<g data-figure="${escape(stand.id)}" transform="translate(${num(stand.width / 4)} ${num(stand.depth / 4)})"><circle r="${num(r)}" fill="${dark}" stroke="#f6c945" stroke-width="1.8"/>` +
    `<g class="up">${hasIcon(stand.is) ? icon(stand.is, r * 1.4, '#ffe9a8') : ''}${hurt(stand, r, '')}</g></g>`
  )
}

const crown = (r: number) =>
  `<path transform="translate(${num(r * 0.72)} ${num(-r * 0.72)})" d="${star(Math.max(4.4, r * 0.3))}" fill="#f6c945" stroke="${INK}" stroke-width="1" stroke-linejoin="round"/>`

function hurt(stand: Stand, r: number, name: string): string {
  if (!stand.wounds) return ''
  const size = Math.min(1.2, Math.max(0.7, r / 15)).toFixed(2)
  return `<g transform="translate(${num(r * 0.66)} ${num(r * 0.62)}) scale(${size})">${drop(stand.wounds, `${name} ${stand.wounds}/${stand.tough}`)}</g>`
}

/** A unit inside a piece of terrain: a coin with what it is and how many. */
export function within(side: number, is: string, number: number, r: number): string {
  const dress = livery(side)
  const ring = (inset: number) => `<circle r="${num(r - inset)}"`
  return (
    `${ring(0)} fill="${dress.colour}" stroke="${dress.dark}" stroke-width="1.6"/>${rim(dress.pattern, ring)}${hasIcon(is) ? icon(is, r * 1.3) : ''}` +
    `<g transform="translate(${num(r * 0.8)} ${num(r * 0.8)})"><circle r="7.5" fill="#fffaf0" stroke="${dress.dark}"/><text y="3.6" text-anchor="middle" font-size="10" font-weight="700" fill="${dress.dark}">${number}</text></g>`
  )
}

/** Crossed blades, where two units fight. */
export const SWORDS = 'M-5-5L5 5M5-5L-5 5M2.2 4.8L4.8 2.2M-2.2 4.8L-4.8 2.2'

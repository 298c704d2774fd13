// Figures, tokens, flags and badges, drawn as in `oriflamme/drawing`. All in units of the page.

import type { Lang } from '../words'
import { gameIcon, hasIcon, icon } from './icons'
import { idOf, signs } from './signs.svelte'
import { livery, sideLetter } from './sides.svelte'
import { escape, INK, num, PAPER } from './terrain'
import type { Pool } from '../wire.svelte'

export { livery, sideLetter }

const RIMS = {
  disc: '<circle r="6.6"',
  drop: '<path d="M0-8.6C2.2-5.2 6.4-2.6 6.4 1.4A6.4 6.4 0 0 1-6.4 1.4C-6.4-2.6-2.2-5.2 0-8.6z"',
}

/** The sign of a state, with its number if it has one: as the game declares it. */
export function badge(state: string, lang: Lang): string {
  const sign = signs.state(state)
  const name = signs.stateName(state, lang)
  const number = state.split(' ')[1] ?? ''
  const inside = sign.icon && !number ? gameIcon(sign.icon, 10, INK) : figureIn(number || name.slice(0, 1).toUpperCase())
  return `<g class="badge ${escape(idOf(state))}"><title>${escape(name)}</title>${RIMS[sign.rim]} fill="${sign.colour}" stroke="${INK}" stroke-width=".9"/>${inside}</g>`
}

/** How many wounds a figure of several has taken. */
export function drop(wounds: number, name: string): string {
  return `<g class="badge wounds"><title>${escape(name)}</title>${RIMS.drop} fill="#f0b3a6" stroke="${INK}" stroke-width=".9"/>${figureIn(String(wounds))}</g>`
}

const figureIn = (text: string) => `<text y="3.6" text-anchor="middle" font-size="10" font-weight="700" fill="${INK}">${escape(text)}</text>`

/** What is left, and of how many where some are spent. */
const poolText = (pool: Pool) => (pool.used ? `${pool.left}/${pool.left + pool.used}` : `${pool.left}`)
/** How wide its token is. */
export const poolWidth = (pool: Pool) => 21 + 5.6 * poolText(pool).length
export const poolName = (pool: Pool, lang: Lang) => `${signs.word('pool', pool.kind, lang)} ${pool.left}/${pool.left + pool.used}`

/** A token with how many are left of how many, from its left edge on. */
export function pool(one: Pool, lang: Lang): string {
  const sign = signs.pool(one.kind)
  const inside = sign.icon ? gameIcon(sign.icon, 10, INK) : figureIn(signs.word('pool', one.kind, lang).slice(0, 1).toUpperCase())
  return (
    `<g class="pool ${escape(one.kind)}"><title>${escape(poolName(one, lang))}</title><rect y="-6.6" width="${num(poolWidth(one) - 2)}" height="13.2" rx="3" fill="${sign.colour}" stroke="${INK}" stroke-width=".9"/>` +
    `<g transform="translate(7.5 0)">${inside}</g><text x="15" y="3.6" font-size="10" font-weight="700" fill="${INK}">${poolText(one)}</text></g>`
  )
}

export interface Look {
  side: number
  /** What it is: a word that may have an icon. */
  is: string
  letter: string
  number: string
  /** In units of the page. */
  radius: number
  box: [number, number] | null
  /** In degrees of the page. */
  turn: number
  wounds: number
  tough: number
  alone: boolean
  hero: boolean
  /** The others of its unit keep near to it. */
  leader?: boolean
  states: string[]
  lang: Lang
}

/** Light falls from above on the left: what lies in the shade of a piece, what shines on it, and along its edge. */
const SHADE = 'fill="#2a1c08" opacity=".28"'
const LIGHT = 'fill="url(#of-light)"'
function edge(r: number): string {
  const round = 2 * Math.PI * (r - 1.5)
  return `<circle r="${num(r - 1.5)}" transform="rotate(195)" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="${num(Math.max(0.7, r * 0.07))}" stroke-dasharray="${num(round * 0.24)} ${num(round)}" stroke-linecap="round"/>`
}

/** A base to scale: rim and colour of its side, icon of what it is, number of its unit, pips for wounds, signs beside it. */
export function figure(look: Look): string {
  const dress = livery(look.side)
  const drawn = look.states.map((state) => signs.state(state).drawn)
  const lying = drawn.includes('lying')
  const parts: string[] = []
  let r = look.radius
  if (look.box) {
    const [w, d] = look.box
    const ring = (inset: number) =>
      `<rect x="${num(inset - w / 2)}" y="${num(inset - d / 2)}" width="${num(w - 2 * inset)}" height="${num(d - 2 * inset)}"`
    parts.push(
      `<g transform="translate(${num(w * 0.03)} ${num(w * 0.05)}) rotate(${num(look.turn)})">${ring(-0.6)} ${SHADE}/></g>`,
      `<g transform="rotate(${num(look.turn)})">${ring(0)} fill="${dress.colour}" stroke="${dress.dark}" stroke-width="1.4"/>${rim(dress.pattern, ring)}${ring(0.7)} ${LIGHT}/><path d="M${num(-w / 2)} ${num(-d / 2)}h${num(w)}" stroke="${INK}" stroke-width="4" stroke-linecap="round"/></g>`,
    )
    r = Math.min(w, d) / 2
  } else {
    const ring = (inset: number) => `<circle r="${num(r - inset)}"`
    parts.push(
      `<circle cx="${num(r * 0.1)}" cy="${num(r * 0.17)}" r="${num(r * 1.04)}" ${SHADE}/>`,
      `${ring(0)} fill="${lying ? '#fffaf0' : dress.colour}" stroke="${dress.dark}" stroke-width="1.4"/>`,
      lying ? '' : `${rim(dress.pattern, ring)}${ring(0.7)} ${LIGHT}/>${edge(r)}`,
    )
  }
  const inside = hasIcon(look.is) ? icon(look.is, r * (look.box || r > 10 ? 1.45 : 1.7)) : initial(look, r)
  if (lying) {
    const body = (inset: number) =>
      `<rect x="${num(inset - r * 0.94)}" y="${num(inset - r * 0.5)}" width="${num(2 * (r * 0.94 - inset))}" height="${num(2 * (r * 0.5 - inset))}" rx="${num(r * 0.5 - inset)}"`
    parts.push(
      `<g transform="rotate(90)">${body(0)} fill="${dress.colour}" stroke="${dress.dark}" stroke-width="1.4"/>${rim(dress.pattern, body)}<g transform="scale(.62)">${inside}</g></g>`,
    )
  } else parts.push(inside)
  if (drawn.includes('nailed')) {
    const d = Array.from({ length: 8 }, (_, k) => {
      const t = (Math.PI * k) / 4 + Math.PI / 8
      return `M${num((r - 3) * Math.cos(t))} ${num((r - 3) * Math.sin(t))}L${num((r + 5) * Math.cos(t))} ${num((r + 5) * Math.sin(t))}`
    }).join('')
    parts.push(`<g stroke-linecap="round"><path d="${d}" stroke="${PAPER}" stroke-width="4.6"/><path d="${d}" stroke="${INK}" stroke-width="2.2"/></g>`)
  }
  if (look.tough > 1 && (look.wounds || look.alone)) parts.push(pips(r, dress.dark, look.tough - look.wounds, look.tough))
  if (look.leader) parts.push(`<circle class="leader" r="${num(r + 1.4)}" fill="none" stroke="#f6c945" stroke-width="2.8"/>`)
  if (look.hero)
    parts.push(`<path transform="translate(0 ${num(-r - 1)})" d="${star(5.4)}" fill="#f6c945" stroke="${INK}" stroke-width="1.1" stroke-linejoin="round"/>`)
  if (look.alone) {
    if (hasIcon(look.is) && look.number) parts.push(tab(look.number, r, dress.dark))
    const spots = [[0.78, 0.78], [-0.78, 0.78], [0.78, -0.78]]
    look.states.forEach((state, i) => {
      if (i < 3 && !drawn[i])
        parts.push(`<g transform="translate(${num((r + 1) * spots[i][0])} ${num((r + 1) * spots[i][1])}) scale(${Math.min(1.3, Math.max(0.85, r / 15)).toFixed(2)})">${badge(state, look.lang)}</g>`)
    })
  }
  return parts.join('')
}

/** The initial and number of a unit, for what has no icon. */
function initial(look: Look, r: number): string {
  const big = Math.min(r * (look.box ? 0.9 : 1.06), 22)
  return `<text text-anchor="middle" y="${num(big * 0.33)}" font-weight="700" font-size="${num(big)}" fill="#fff">${escape(look.letter)}<tspan font-size="${num(big * 0.72)}" dy="${num(big * 0.14)}">${escape(look.number)}</tspan></text>`
}

/** The number of a unit on a label at its shoulder. */
function tab(number: string, r: number, dark: string): string {
  const at = -(r + 1) * 0.78
  const scale = Math.min(1.6, Math.max(1, r / 11))
  const wide = 5.4 + 4.6 * number.length
  return (
    `<g transform="translate(${num(at)} ${num(at)}) scale(${scale.toFixed(2)})"><rect x="${num(-wide / 2)}" y="-5" width="${num(wide)}" height="10" rx="4.6" fill="#fffaf0" stroke="${dark}"/>` +
    `<text y="3" text-anchor="middle" font-size="8.4" font-weight="700" fill="${dark}">${escape(number)}</text></g>`
  )
}

/** The pattern inside the rim that tells a side without its colour. */
export function rim(pattern: string, ring: (inset: number) => string): string {
  if (pattern === 'double') return ring(1.9) + ' fill="none" stroke="#fff" stroke-width="1.1"/>'
  if (pattern === 'dashed') return ring(1.5) + ' fill="none" stroke="#fff" stroke-width="1.4" stroke-dasharray="3.2 2.6"/>'
  if (pattern === 'notched') return ring(0.6) + ' fill="none" stroke="#fff" stroke-width="2.8" stroke-dasharray="1.3 4.4"/>'
  if (pattern === 'banded') return ring(1.6) + ' fill="none" stroke="#fff" stroke-width="2.6"/>'
  return ''
}

/** A coin in the livery of a side, for lists. */
export function coin(side: number, r: number): string {
  const dress = livery(side)
  const ring = (inset: number) => `<circle r="${num(r - inset)}"`
  return `${ring(0)} fill="${dress.colour}" stroke="${dress.dark}" stroke-width="1.2"/>${rim(dress.pattern, ring)}`
}

function pips(r: number, dark: string, left: number, total: number): string {
  const away = r + 4.2
  const size = total <= 6 ? 2.5 : 1.9
  const step = Math.min((2.5 * size) / away, (1.9 * Math.PI) / total)
  return Array.from({ length: total }, (_, k) => {
    const turn = Math.PI / 2 + (k - (total - 1) / 2) * step
    const fill = k >= total - left ? '#ffd75e' : PAPER
    return `<circle cx="${num(-away * Math.cos(turn))}" cy="${num(away * Math.sin(turn))}" r="${size}" fill="${fill}" stroke="${dark}"/>`
  }).join('')
}

export function star(r: number): string {
  const points = Array.from({ length: 10 }, (_, k) => {
    const reach = k % 2 ? r * 0.45 : r
    return `${num(reach * Math.sin((Math.PI * k) / 5))} ${num(-reach * Math.cos((Math.PI * k) / 5))}`
  })
  return 'M' + points.join('L') + 'z'
}

/** A token as large as it lies: a form with the corners of its kind, and on it an icon or a letter. */
export function token(kind: string, owner: number | null, r: number, lang: Lang): string {
  const sign = signs.token(kind)
  if (sign.template) {
    const arm = num(Math.min(r * 0.3, 9))
    return (
      `<circle r="${num(r)}" fill="${owner === null ? sign.colour : livery(owner).colour}" fill-opacity=".32" stroke="${INK}" stroke-width="1.6" stroke-dasharray="5 3"/>` +
      `<path d="M-${arm} 0H${arm}M0-${arm}V${arm}" stroke="${INK}" stroke-width="1.8" stroke-linecap="round"/>`
    )
  }
  const fill = owner === null ? sign.colour : livery(owner).colour
  const edge = owner === null ? INK : livery(owner).dark
  const ink = owner === null ? INK : '#fff'
  const points = Array.from({ length: sign.corners }, (_, k) => {
    const t = (Math.PI * sign.turn) / 180 + (2 * Math.PI * k) / sign.corners
    return `${num(r * Math.cos(t))} ${num(r * Math.sin(t))}`
  })
  const d = 'M' + points.join('L') + 'z'
  const size = Math.min(r * 1.15, 22)
  return (
    `<path d="${d}" fill="${fill}" stroke="${edge}" stroke-width="1.6" stroke-linejoin="round"/>` +
    `<path d="${d}" transform="scale(.82)" fill="none" stroke="${owner === null ? INK : PAPER}" stroke-dasharray="4 2.5"/>` +
    (sign.icon
      ? gameIcon(sign.icon, Math.min(r * 1.3, 26), ink)
      : `<text y="${num(size * 0.35)}" text-anchor="middle" font-weight="700" font-size="${num(size)}" fill="${ink}">${escape(signs.letter(kind, lang))}</text>`)
  )
}

/** A pennant: number, and the letter of the side that holds it. */
export function flag(label: string, owner: number | null): string {
  const colour = owner === null ? '#fbf6e8' : livery(owner).colour
  return (
    `<ellipse rx="7" ry="3.4" fill="${INK}" opacity=".35"/><circle r="3" fill="${INK}"/><path d="M0 0V-31" stroke="${INK}" stroke-width="2.4"/>` +
    `<path d="M0-31h26l-5 8l5 8H0z" fill="${colour}" stroke="${INK}" stroke-width="1.5" stroke-linejoin="round"/>` +
    `<text x="10.5" y="-18.6" text-anchor="middle" font-size="12.5" font-weight="700" fill="${owner === null ? INK : '#fff'}">${escape(label)}</text>`
  )
}

export const CROSS = 'M-4-4L4 4M4-4L-4 4'

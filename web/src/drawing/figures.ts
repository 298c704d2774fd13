// Figures, tokens, flags and signs: the pictures of `oriflamme/drawing/svg.py`. All in units of the page.

import { hasIcon, icon } from './icons'
import { escape, INK, num, PAPER } from './terrain'

export const LIVERIES = [
  { colour: '#1f559c', dark: '#0c2a55', pattern: 'solid' },
  { colour: '#b02a26', dark: '#5f0f12', pattern: 'double' },
  { colour: '#806000', dark: '#4a3700', pattern: 'dashed' },
  { colour: '#5f3186', dark: '#351550', pattern: 'notched' },
]
export const livery = (side: number) => LIVERIES[((side % 4) + 4) % 4]
export const sideLetter = (side: number) => 'abcd'[side % 4] ?? '?'

// Fill of a badge and the mark in it, each with a form of its own.
const BADGES: Record<string, [string, string]> = {
  shaken: ['#f2b233', '<path d="M-3.4-2.6L-.6 1.4L.6-1.4L3.4 2.6"/>'],
  broken: ['#f2b233', '<path d="M-3.2 3.2L3.2-3.2M-2.4-2.4L2.4 2.4"/>'],
  fleeing: ['#f2b233', '<path d="M-3.4 0H3M.4-2.8L3.2 0L.4 2.8"/>'],
  transfixed: ['#b9d4e8', '<path d="M0-4V4M-3.5-2L3.5 2M-3.5 2L3.5-2"/>'],
  down: ['#f2b233', '<path d="M-3.8-.6H3.8M-3.8 2.4H3.8"/>'],
  wounded: ['#f0b3a6', '<path d="M-2.8 1.4H2.8M0-1.4V4.2"/>'],
  poisoned: ['#b9d99b', '<path d="M-3.9 .2C-3.9-5.4 3.9-5.4 3.9 .2L2.2 1.6V3.8H-2.2V1.6z" stroke-width="1.2"/>'],
  carrying: ['#f6dd8a', '<path d="M-1.4-1.6C-5 .6-4.4 4-2.6 4H2.6C4.4 4 5 .6 1.4-1.6zM-1.4-1.6L-2.4-4H2.4L1.4-1.6" stroke-width="1.3"/>'],
  fatigued: ['#c9b8e0', '<path d="M-3-3.4H3L-3 3.4H3"/>'],
  activated: ['#dfe8d2', '<path d="M-3.2 .2L-.9 2.7L3.3-2.6"/>'],
}
const DROP = 'M0-8.6C2.2-5.2 6.4-2.6 6.4 1.4A6.4 6.4 0 0 1-6.4 1.4C-6.4-2.6-2.2-5.2 0-8.6z'

/** The sign of a state ("shaken", "wounded 2"): its mark, its number, or its first letter. */
export function badge(state: string, name: string): string {
  const [word, number] = state.split(' ')
  const [fill, mark] = BADGES[word] ?? ['#fffaf0', '']
  const rim = word === 'wounded' ? `<path d="${DROP}"` : '<circle r="6.6"'
  const inside =
    number || !mark
      ? `<text y="3.6" text-anchor="middle" font-size="10" font-weight="700" fill="${INK}">${escape(number || name.slice(0, 1).toUpperCase())}</text>`
      : `<g fill="none" stroke="${INK}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${mark}</g>`
  return `<g class="badge ${escape(word)}"><title>${escape(name)}</title>${rim} fill="${fill}" stroke="${INK}" stroke-width=".9"/>${inside}</g>`
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
  states: string[]
  stateNames: string[]
}

/** A base to scale: rim and colour of its side, icon of what it is, number of its unit, pips for wounds, signs beside it. */
export function figure(look: Look): string {
  const dress = livery(look.side)
  const words = look.states.map((state) => state.split(' ')[0])
  const down = words.includes('down')
  const parts: string[] = []
  let r = look.radius
  if (look.box) {
    const [w, d] = look.box
    const ring = (inset: number) =>
      `<rect x="${num(inset - w / 2)}" y="${num(inset - d / 2)}" width="${num(w - 2 * inset)}" height="${num(d - 2 * inset)}"`
    parts.push(
      `<g transform="rotate(${num(look.turn)})">${ring(0)} fill="${dress.colour}" stroke="${dress.dark}" stroke-width="1.4"/>${rim(dress.pattern, ring)}<path d="M${num(-w / 2)} ${num(-d / 2)}h${num(w)}" stroke="${INK}" stroke-width="4" stroke-linecap="round"/></g>`,
    )
    r = Math.min(w, d) / 2
  } else {
    const ring = (inset: number) => `<circle r="${num(r - inset)}"`
    parts.push(
      `${ring(0)} fill="${down ? '#fffaf0' : dress.colour}" stroke="${dress.dark}" stroke-width="1.4"/>`,
      down ? '' : rim(dress.pattern, ring),
    )
  }
  const inside = hasIcon(look.is) ? icon(look.is, r * (look.box || r > 10 ? 1.45 : 1.7)) : initial(look, r)
  if (down) {
    const body = (inset: number) =>
      `<rect x="${num(inset - r * 0.94)}" y="${num(inset - r * 0.5)}" width="${num(2 * (r * 0.94 - inset))}" height="${num(2 * (r * 0.5 - inset))}" rx="${num(r * 0.5 - inset)}"`
    parts.push(
      `<g transform="rotate(90)">${body(0)} fill="${dress.colour}" stroke="${dress.dark}" stroke-width="1.4"/>${rim(dress.pattern, body)}<g transform="scale(.62)">${inside}</g></g>`,
    )
  } else parts.push(inside)
  if (words.includes('transfixed')) {
    const d = Array.from({ length: 8 }, (_, k) => {
      const t = (Math.PI * k) / 4 + Math.PI / 8
      return `M${num((r - 3) * Math.cos(t))} ${num((r - 3) * Math.sin(t))}L${num((r + 5) * Math.cos(t))} ${num((r + 5) * Math.sin(t))}`
    }).join('')
    parts.push(`<g stroke-linecap="round"><path d="${d}" stroke="${PAPER}" stroke-width="4.6"/><path d="${d}" stroke="${INK}" stroke-width="2.2"/></g>`)
  }
  if (look.tough > 1 && (look.wounds || look.alone)) parts.push(pips(r, dress.dark, look.tough - look.wounds, look.tough))
  if (look.hero)
    parts.push(`<path transform="translate(0 ${num(-r - 1)})" d="${star(5.4)}" fill="#f6c945" stroke="${INK}" stroke-width="1.1" stroke-linejoin="round"/>`)
  if (look.alone) {
    if (hasIcon(look.is) && look.number) parts.push(tab(look.number, r, dress.dark))
    const spots = [[0.78, 0.78], [-0.78, 0.78], [0.78, -0.78]]
    look.states.forEach((state, i) => {
      if (i < 3 && !['down', 'transfixed'].includes(words[i]))
        parts.push(`<g transform="translate(${num((r + 1) * spots[i][0])} ${num((r + 1) * spots[i][1])}) scale(${Math.min(1.3, Math.max(0.85, r / 15)).toFixed(2)})">${badge(state, look.stateNames[i])}</g>`)
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

const TOKENS: Record<string, [string, number, number]> = {
  ambush: ['#fbf6e8', 8, Math.PI / 8],
  treasure: ['#f6c945', 4, Math.PI / 4],
  item: ['#d9c8f0', 4, 0],
  prize: ['#f6c945', 5, -Math.PI / 2],
}

/** A token as large as it lies: each kind has its number of corners. */
export function token(kind: string, owner: number | null, r: number, letter: string): string {
  const [colour, corners, turn] = TOKENS[kind] ?? ['#fbf6e8', 24, 0]
  const fill = owner === null ? colour : livery(owner).colour
  const edge = owner === null ? INK : livery(owner).dark
  const points = Array.from({ length: corners }, (_, k) => {
    const t = turn + (2 * Math.PI * k) / corners
    return `${num(r * Math.cos(t))} ${num(r * Math.sin(t))}`
  })
  const d = 'M' + points.join('L') + 'z'
  const size = Math.min(r * 1.15, 22)
  return (
    `<path d="${d}" fill="${fill}" stroke="${edge}" stroke-width="1.6" stroke-linejoin="round"/>` +
    `<path d="${d}" transform="scale(.82)" fill="none" stroke="${owner === null ? INK : PAPER}" stroke-dasharray="4 2.5"/>` +
    `<text y="${num(size * 0.35)}" text-anchor="middle" font-weight="700" font-size="${num(size)}" fill="${owner === null ? INK : '#fff'}">${escape(letter)}</text>`
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

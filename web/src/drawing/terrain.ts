// Terrain as a hand-drawn campaign map shows it: the pictures of `oriflamme/drawing/terrain.py`, drawn in the browser.
// Everything is drawn from the outline, so the edge is where the rules have it.

import { boxOf, contains, distance, edgeDistance, INCH, overlap, type Box, type Point, type Shape } from './geometry'

export interface Piece extends Shape {
  id: string
  kind: string
  height: number
  levels: number[]
  traits: string[]
  /** Its size class, where the map has those; and the parts of its edge that are no drop. */
  size?: number
  slopes?: Slope[]
}
/** "slope" or "stairs", and from where to where. */
export type Slope = [kind: string, ax: number, ay: number, bx: number, by: number]
/** A board beside the table: the inside of a piece. */
export interface Board {
  id: string
  of: string
  corners: Point[]
  name: Record<string, string>
}
/** From where to where on a board, and how high its sill is. */
export type Mouth = [board: string, ax: number, ay: number, bx: number, by: number, z: number]
/** A door, a window or a breach; with corners it leads through a wall, without from board to board. */
export interface Opening {
  id: string
  kind: string
  mouths: [Mouth, Mouth]
  corners?: Point[]
  closed: boolean
  name: Record<string, string>
}
export interface TableData {
  width: number
  depth: number
  pieces: Piece[]
  /** How far everything reaches, boards beside the table included. */
  extent?: [number, number]
  boards?: Board[]
  openings?: Opening[]
}
/** What a table shows besides its terrain: openings that are closed now, and how high surfaces are. */
export interface Shows {
  closed?: Set<string>
  openingTitle?: (opening: Opening, closed: boolean) => string
  boardTitle?: (board: Board) => string
  level?: (height: number) => string
  /** It is seen from the far edge. */
  far?: boolean
}

export const INK = '#3b3027'
export const PAPER = '#f4ecda'
const GROUND = '#e7e0c3'
const WET = ['water', 'stream', 'ford', 'pond']
const ORDER = (
  'hill hollow scree field swamp mire graveyard water stream ford pond bridge ruin thorns floor wall fence barricade hedge ' +
  'palisade masonry cliff forest rocks building partition torch'
).split(' ')
const ROUND = 'stroke-linecap="round" stroke-linejoin="round"'

export const SYMBOLS = `
<g id="of-tree1"><path d="M0-10c4-1 6 1 7 4c4 1 5 5 2 8c0 4-3 6-6 5c-3 3-7 2-9-1c-4 0-6-4-4-7c-2-4 0-7 4-7c1-2 4-3 6-2z" fill="#8aa36b" stroke="#46573a" stroke-width="1.3"/><path d="M-5-3c2-3 6-4 9-2M-2 2c2-2 5-2 7 0" fill="none" stroke="#5d7348" stroke-width="1.1" stroke-linecap="round"/></g>
<g id="of-tree2"><path d="M-1-9c4-2 8 0 8 4c4 2 3 7 0 9c-1 4-6 5-9 2c-4 2-8 0-8-4c-3-3-1-7 2-8c1-3 4-4 7-3z" fill="#7b965d" stroke="#43543a" stroke-width="1.3"/><path d="M-6-1c1-3 4-5 7-4M0 4c2 0 4-1 5-3" fill="none" stroke="#54693f" stroke-width="1.1" stroke-linecap="round"/></g>
<g id="of-tree3"><path d="M0-9c5-1 9 3 8 7c3 4 0 8-4 8c-3 3-8 2-9-1c-4-1-5-6-3-8c0-4 4-6 8-6z" fill="#98b079" stroke="#4a5b3d" stroke-width="1.3"/><path d="M-4-4c2-2 5-2 7-1M-5 3c2 2 4 2 6 1" fill="none" stroke="#687f52" stroke-width="1.1" stroke-linecap="round"/></g>
<g id="of-bush"><path d="M0-6c3-1 5 1 5 3c3 1 3 5 0 6c-1 3-5 3-6 1c-3 1-5-1-4-4c-2-3 1-6 5-6z" fill="#7c9160" stroke="#43533a" stroke-width="1.1"/></g>
<radialGradient id="of-meadow"><stop offset="0" stop-color="#d3d3a6"/><stop offset="1" stop-color="#d3d3a6" stop-opacity="0"/></radialGradient>
<radialGradient id="of-heath"><stop offset="0" stop-color="#f1e9cf"/><stop offset="1" stop-color="#f1e9cf" stop-opacity="0"/></radialGradient>
<radialGradient id="of-light" cx=".34" cy=".28" r=".85"><stop offset="0" stop-color="#fff" stop-opacity=".36"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#1a1208" stop-opacity=".34"/></radialGradient>
<path id="of-grass" d="M-3 2l-1-4M0 2v-6M3 2l1-4" fill="none" stroke="#a9a57c" stroke-width=".9" stroke-linecap="round"/>
<path id="of-reed" d="M-3 3l-2-6M-1 3v-9M2 3l2-7M-5 3.4h9" fill="none" stroke="#5f6b3a" stroke-width="1" stroke-linecap="round"/>
<path id="of-thorn" d="M-5 2c2-6 8-6 9 0M-2 5c0-5 5-7 8-5M-4-2l-2-2M1-3l0-3M4-1l3-2M-1 3l-3 1" fill="none" stroke="#4f5a34" stroke-width="1.1" stroke-linecap="round"/>
<path id="of-grave" d="M0 5v-9M-3-1h6M-3 5h6" fill="none" stroke="#4a4038" stroke-width="1.3" stroke-linecap="round"/>`

export function num(value: number): string {
  const text = value.toFixed(1).replace(/\.0$/, '')
  return text === '-0' ? '0' : text
}

/** Text that may stand in markup. */
export function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** The hand that draws: never quite straight, always the same for the same thing. */
class Hand {
  private state: number
  constructor(name: string) {
    let crc = ~0
    for (const byte of new TextEncoder().encode(name)) {
      crc ^= byte
      for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
    }
    this.state = ~crc >>> 0 || 1
  }
  number(): number {
    this.state = Number((BigInt(this.state) * 1103515245n + 12345n) & 0x7fffffffn)
    return Math.floor(this.state / 256) / (0x7fffffff >> 8)
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.number()
  }
}

/** The way from the table to the page: a page is about 1100 wide, whatever the table. `grain` is how fine dressing is;
 * `far`, that it is seen by who sits at the far edge: turned half round, and his edge is below. */
export class Page {
  readonly scale: number
  readonly grain: number
  readonly width: number
  readonly height: number
  private readonly deep: number
  constructor(
    readonly table: TableData,
    scale = 0,
    grain = 0,
    readonly far = false,
  ) {
    const [wide, deep] = table.extent ?? [table.width, table.depth]
    this.deep = deep
    this.scale = scale || Math.min(1108 / wide, 1500 / deep)
    this.grain = grain || (scale ? 1 : Math.min(1, Math.max(0.45, table.width / (48 * INCH))))
    this.width = wide * this.scale
    this.height = deep * this.scale
  }
  x(x: number): number {
    return this.far ? this.width - x * this.scale : x * this.scale
  }
  y(y: number): number {
    return (this.far ? y : this.deep - y) * this.scale
  }
  /** How something is turned on the page that looks that way on the table, in degrees with the clock. */
  turn(facing: number): number {
    return (-facing * 180) / Math.PI + (this.far ? 180 : 0)
  }
  /** A point of the page as a point of the table. */
  back(px: number, py: number): Point {
    const [x, y]: Point = [px / this.scale, this.deep - py / this.scale]
    return this.far ? [this.width / this.scale - x, this.deep - y] : [x, y]
  }
  at(x: number, y: number): string {
    return `${num(this.x(x))} ${num(this.y(y))}`
  }
  line(points: Point[], closed = false): string {
    return points.length ? 'M' + points.map((p) => this.at(...p)).join('L') + (closed ? 'z' : '') : ''
  }
  shape(shape: Shape): string {
    if (!shape.circle) return this.line(shape.corners!, true)
    const [x, y, radius] = shape.circle
    const r = num(radius * this.scale)
    const wide = radius * 2 * this.scale
    return `M${num(this.x(x) - radius * this.scale)} ${num(this.y(y))}a${r} ${r} 0 1 0 ${num(wide)} 0a${r} ${r} 0 1 0 ${num(-wide)} 0z`
  }
}

/** A page in progress: markup so far. */
class Sheet extends Page {
  parts: string[] = []
  inches(n: number): number {
    return n * INCH * this.grain
  }
  add(...parts: string[]): void {
    this.parts.push(...parts)
  }
  path(d: string, fill = 'none', stroke = 'none', width = 1, more = ''): void {
    const pen = stroke !== 'none' ? ` stroke="${stroke}" stroke-width="${num(width)}"` : ''
    this.add(`<path d="${d}" fill="${fill}"${pen} ${more}/>`)
  }
  soft(shape: Shape): string {
    return shape.circle ? this.shape(shape) : this.rounded(shape.corners!)
  }
  rounded(corners: Point[], cut = 0.32): string {
    const n = corners.length
    return (
      corners
        .map(([bx, by], i) => {
          const [ax, ay] = corners[(i || n) - 1]
          const [px, py] = corners[(i + 1) % n]
          const from = this.at(bx + (ax - bx) * cut, by + (ay - by) * cut)
          return `${i ? 'L' : 'M'}${from}Q${this.at(bx, by)} ${this.at(bx + (px - bx) * cut, by + (py - by) * cut)}`
        })
        .join('') + 'z'
    )
  }
  use(symbol: string, x: number, y: number, size: number, turn = 0): void {
    const spin = turn ? ` rotate(${num(turn)})` : ''
    const factor = ((size * this.scale) / 20).toFixed(2)
    this.add(`<use href="#of-${symbol}" transform="translate(${this.at(x, y)}) scale(${factor})${spin}"/>`)
  }
}

/** The ground and every piece on it, as markup for the page of this table. */
export function drawTable(table: TableData, title: (piece: Piece) => string, shows: Shows = {}): string {
  const sheet = new Sheet(table, 0, 0, shows.far)
  ground(sheet)
  terrain(sheet, title)
  insides(sheet, shows)
  return sheet.parts.join('')
}

/** Doors, windows and breaches with a number that is the same on both boards, the names of boards, how high surfaces are. */
function insides(sheet: Sheet, shows: Shows): void {
  let number = 0
  for (const opening of sheet.table.openings ?? []) {
    const shut = shows.closed ? shows.closed.has(opening.id) : opening.closed
    if (!opening.corners) number++
    sheet.add(`<g class="opening ${shut ? 'closed' : 'open'}" data-opening="${escape(opening.id)}"><title>${escape(shows.openingTitle?.(opening, shut) ?? '')}</title>`)
    if (opening.corners) sheet.path(sheet.line(opening.corners, true), shut ? '#8a5a2b' : '#efe6c8', INK, 1)
    for (const [, ax, ay, bx, by] of opening.mouths) {
      const line = sheet.line([[ax, ay], [bx, by]])
      const colour = shut ? '#8a5a2b' : ({ window: '#9cc3d5', breach: '#cfc5ae' }[opening.kind] ?? '#efe6c8')
      sheet.path(line, 'none', INK, 7)
      sheet.path(line, 'none', colour, 5)
      const [x, y] = [sheet.x((ax + bx) / 2), sheet.y((ay + by) / 2)]
      if (shut) sheet.path(`M${num(x - 5)} ${num(y - 5)}l10 10M${num(x - 5)} ${num(y + 5)}l10 -10`, 'none', '#c1121f', 2.2, ROUND)
      if (!opening.corners) sheet.add(label(x, y + 3.4, String(number), 9.5, 'middle'))
    }
    sheet.add('</g>')
  }
  for (const board of sheet.table.boards ?? []) {
    const left = Math.min(...board.corners.map(([x]) => sheet.x(x)))
    const top = Math.min(...board.corners.map(([, y]) => sheet.y(y)))
    sheet.add(label(left, top - 6, shows.boardTitle?.(board) ?? '', 11, 'start'))
  }
  if (!shows.level) return
  for (const piece of sheet.table.pieces) {
    if (!piece.levels.length) continue
    const box = boxOf(piece)
    const [x, y] = piece.corners?.reduce((best, at) => (at[1] - at[0] > best[1] - best[0] ? at : best)) ?? [box.x0, box.y1]
    sheet.add(label(sheet.x(x) + 4, sheet.y(y) + 12, piece.levels.map(shows.level).join(' '), 11, 'start'))
  }
}

const label = (x: number, y: number, text: string, size: number, anchor: string) =>
  `<text x="${num(x)}" y="${num(y)}" font-size="${size}" font-weight="700" fill="${INK}" stroke="${PAPER}" stroke-width="2.8" paint-order="stroke" text-anchor="${anchor}">${escape(text)}</text>`

/** A piece that is still being laid: drawn around its own middle, to be put and turned where it is held, and its outline. */
export function drawLoose(table: TableData, kind: string, corners: Point[]): { art: string; outline: string } {
  const [mx, my] = [table.width / 2, table.depth / 2]
  const placed = corners.map(([x, y]): Point => [x + mx, y + my])
  const sheet = new Sheet({ ...table, pieces: [{ id: kind, kind, corners: placed, height: 0, levels: [], traits: [] }] })
  terrain(sheet, () => '')
  const back = `<g transform="translate(${num(-sheet.x(mx))} ${num(-sheet.y(my))})">`
  return { art: `${back}${sheet.parts.join('')}</g>`, outline: `${back}<path d="${sheet.line(placed, true)}"/></g>` }
}

const SQUARE = ['building', 'ruin', 'field', 'graveyard']
const LINEAR = ['wall', 'fence', 'barricade', 'hedge', 'palisade', 'stream', 'bridge']

/** A kind of terrain as a small picture of its own, 110 by 70. */
export function drawSwatch(kind: string): string {
  const [wide, deep] = [110, 70].map((n) => n * 1.4)
  const [mx, my, rx, ry] = [wide / 2, deep / 2, wide * 0.44, deep * 0.42]
  const corners = LINEAR.includes(kind) ? slab(mx, my, rx, 9) : SQUARE.includes(kind) ? slab(mx, my, rx, ry) : oval(mx, my, rx, ry)
  const sheet = new Sheet({ width: wide, depth: deep, pieces: [{ id: kind, kind, corners, height: 0, levels: [], traits: [] }] }, 1 / 1.4, 0.6)
  terrain(sheet, () => '')
  return sheet.parts.join('')
}

/** Outlines to draw with: an oval and a rectangle round a middle. */
export const oval = (x: number, y: number, rx: number, ry: number): Point[] =>
  Array.from({ length: 12 }, (_, k): Point => [x + rx * Math.cos((Math.PI * k) / 6), y + ry * Math.sin((Math.PI * k) / 6)])
export const slab = (x: number, y: number, rx: number, ry: number): Point[] => [[x - rx, y - ry], [x + rx, y - ry], [x + rx, y + ry], [x - rx, y + ry]]

function ground(sheet: Sheet): void {
  const { table, scale } = sheet
  const [left, top] = [Math.min(sheet.x(0), sheet.x(table.width)), Math.min(sheet.y(0), sheet.y(table.depth))].map(num)
  sheet.add(`<rect${left === '0' ? '' : ` x="${left}"`} y="${top}" width="${num(table.width * scale)}" height="${num(table.depth * scale)}" fill="${GROUND}"/>`)
  for (const board of table.boards ?? []) {
    sheet.path(sheet.shape(board), '#e3dccb')
    const slabs = [0, Math.PI / 2].flatMap((turn) => strokes(board, turn, sheet.inches(1)))
    sheet.path(slabs.map((row) => sheet.line(row)).join(''), 'none', '#cfc5ae', 0.7)
    sheet.path(sheet.shape(board), 'none', '#5b5048', 5, 'stroke-linejoin="miter"')
  }
  const hand = new Hand('ground')
  for (let n = 0; n < 14; n++) {
    const x = hand.between(0, table.width)
    const y = hand.between(0, table.depth)
    const r = hand.between(0.08, 0.2) * table.width
    const tone = hand.number() < 0.55 ? 'meadow' : 'heath'
    sheet.add(
      `<ellipse cx="${num(sheet.x(x))}" cy="${num(sheet.y(y))}" rx="${num(r * scale)}" ry="${num(r * scale * 0.6)}" fill="url(#of-${tone})" opacity=".8"/>`,
    )
  }
  const tufts = Math.floor((table.width * table.depth) / sheet.inches(4.2) ** 2)
  for (let n = 0; n < tufts; n++) {
    const x = hand.between(10, table.width - 10)
    const y = hand.between(10, table.depth - 10)
    if (!table.pieces.some((piece) => contains(piece, x, y)))
      sheet.use('grass', x, y, hand.between(18, 26) * sheet.grain, hand.between(-8, 8))
  }
}

function terrain(sheet: Sheet, title: (piece: Piece) => string): void {
  const rank = (kind: string) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length)
  const pieces = [...sheet.table.pieces].sort((a, b) => rank(a.kind) - rank(b.kind))
  const wet = pieces.filter((piece) => piece.kind === 'bridge' || WET.includes(piece.kind))
  for (const piece of pieces) {
    sheet.add(`<g class="piece"><title>${escape(title(piece))}</title>`)
    const hand = new Hand(piece.id)
    if (WET.includes(piece.kind)) water(sheet, piece, hand, wet.filter((other) => other !== piece))
    else (PAINTERS[piece.kind] ?? plain)(sheet, piece, hand, boxOf(piece))
    for (const slope of piece.slopes ?? []) ramp(sheet, piece, slope)
    if (piece.size) sizeDisc(sheet, piece)
    sheet.add('</g>')
  }
}

// -- shared strokes

export type Sample = [number, number, number, number]

/** Points along the edge, each with the direction out of the outline. */
export function samples(shape: Shape, step: number): Sample[] {
  const found: Sample[] = []
  if (shape.circle) {
    const [cx, cy, r] = shape.circle
    const n = Math.max(12, Math.floor((2 * Math.PI * r) / step))
    for (let i = 0; i < n; i++) {
      const c = Math.cos((2 * Math.PI * i) / n)
      const s = Math.sin((2 * Math.PI * i) / n)
      found.push([cx + r * c, cy + r * s, c, s])
    }
    return found
  }
  const corners = shape.corners!
  corners.forEach(([bx, by], i) => {
    const [ax, ay] = corners[(i || corners.length) - 1]
    const length = Math.hypot(bx - ax, by - ay)
    const n = Math.max(1, Math.round(length / step))
    for (let k = 0; k < n; k++) {
      const t = (k + 0.5) / n
      found.push([ax + (bx - ax) * t, ay + (by - ay) * t, (by - ay) / length, (ax - bx) / length])
    }
  })
  return found
}

/** Points strewn evenly inside, the far ones first. */
function scatter(shape: Shape, spacing: number, margin: number, hand: Hand): Point[] {
  const box = boxOf(shape)
  const found: Point[] = []
  let row = 0
  for (let y = box.y0 + margin; y <= box.y1 - margin; y += spacing * 0.85) {
    for (let x = box.x0 + margin + (row % 2 ? spacing / 2 : 0); x <= box.x1 - margin; x += spacing) {
      const px = x + hand.between(-0.22, 0.22) * spacing
      const py = y + hand.between(-0.22, 0.22) * spacing
      if (contains(shape, px, py) && edgeDistance(shape, px, py) >= margin * 0.8) found.push([px, py])
    }
    row++
  }
  if (!found.length) found.push(middle(shape))
  return found.sort((a, b) => b[1] - a[1])
}

function middle(shape: Shape): Point {
  if (shape.circle) return [shape.circle[0], shape.circle[1]]
  const corners = shape.corners!
  const x = corners.reduce((sum, p) => sum + p[0], 0) / corners.length
  const y = corners.reduce((sum, p) => sum + p[1], 0) / corners.length
  const box = boxOf(shape)
  return contains(shape, x, y) ? [x, y] : [box.cx, box.cy]
}

/** The middle line of a rectangle from end to end, and how wide it is; null for any other shape. */
function longAxis(shape: Shape): [Point, Point, number] | null {
  if (shape.corners?.length !== 4) return null
  let [a, b, c, d] = shape.corners
  if (Math.abs(distance(a, b) - distance(c, d)) > 1) return null
  if (distance(a, b) < distance(b, c)) [a, b, c, d] = [b, c, d, a]
  return [[(a[0] + d[0]) / 2, (a[1] + d[1]) / 2], [(b[0] + c[0]) / 2, (b[1] + c[1]) / 2], distance(a, d)]
}

/** Parallel lines across the inside. */
function strokes(shape: Shape, angle: number, spacing: number, margin = 0): [Point, Point][] {
  const box = boxOf(shape)
  const c = Math.cos(angle)
  const s = Math.sin(angle)
  const reach = box.reach * 1.05
  const found: [Point, Point][] = []
  for (let offset = -reach + spacing / 2; offset < reach; offset += spacing) {
    const mx = box.cx - s * offset
    const my = box.cy + c * offset
    const a: Point = [mx - c * reach, my - s * reach]
    const b: Point = [mx + c * reach, my + s * reach]
    for (const [t0, t1] of overlap(shape, a, b)) {
      if ((t1 - t0) * 2 * reach <= 2 * margin + 4) continue
      const u0 = t0 + margin / (2 * reach)
      const u1 = t1 - margin / (2 * reach)
      const on = (t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
      found.push([on(u0), on(u1)])
    }
  }
  return found
}

function rimOf(shape: Shape, step: number): Point[] {
  return shape.circle ? samples(shape, step).map(([x, y]) => [x, y] as Point) : shape.corners!
}

function shrunk(shape: Shape, factor: number): Point[] {
  const [mx, my] = middle(shape)
  return rimOf(shape, 1.2 * INCH).map(([x, y]) => [mx + (x - mx) * factor, my + (y - my) * factor])
}

function shadow(sheet: Sheet, shape: Shape): void {
  sheet.add(`<path d="${sheet.shape(shape)}" transform="translate(3 3)" fill="${INK}" opacity=".2"/>`)
}

// -- kinds

type Painter = (sheet: Sheet, piece: Piece, hand: Hand, box: Box) => void

const plain: Painter = (sheet, piece) => sheet.path(sheet.shape(piece), '#d9cfae', INK, 1.2)

function marsh(sheet: Sheet, piece: Piece, hand: Hand, fill: string, wave: string, edge: string): void {
  sheet.path(sheet.soft(piece), fill, edge, 1.1, 'stroke-dasharray="5 3 1 3"')
  let d = ''
  for (const [[ax, ay], [bx]] of strokes(piece, 0, sheet.inches(0.55), sheet.inches(0.25))) {
    let x = ax + hand.between(0, sheet.inches(0.9))
    while (x < bx - sheet.inches(0.3)) {
      const length = Math.min(hand.between(sheet.inches(0.3), sheet.inches(0.9)), bx - x)
      d += sheet.line([[x, ay], [x + length, ay]])
      x += length + hand.between(sheet.inches(0.5), sheet.inches(1.5))
    }
  }
  sheet.path(d, 'none', wave, 1.1, ROUND)
  for (const [x, y] of scatter(piece, sheet.inches(1.5), sheet.inches(0.5), hand))
    sheet.use('reed', x, y, hand.between(20, 27) * sheet.grain, hand.between(-6, 6))
}

/** A shore line and engraver's lines along it, open where another water or the table's edge is. */
function water(sheet: Sheet, piece: Piece, hand: Hand, others: Piece[]): void {
  const ford = piece.kind === 'ford'
  const fill = { ford: '#c9d6cf', stream: '#bcd0cf', pond: '#bcd0cf' }[piece.kind] ?? '#a8c3cd'
  sheet.path(sheet.shape(piece), fill, fill, 1.2)
  const lines: [number, string, number][] = [[0, '#48707f', 1.9], [0.24, '#6f95a3', 1], [0.52, '#86a8b4', 0.8]]
  for (const [inset, colour, width] of lines.slice(0, { ford: 1, stream: 2, pond: 2 }[piece.kind] ?? 3))
    for (const run of shore(sheet, piece, others, sheet.inches(inset), hand))
      sheet.path(sheet.line(run), 'none', colour, width, ROUND + (ford ? ' stroke-dasharray="4 3"' : ''))
  if (!ford) return
  let d = ''
  for (const [x, y] of scatter(piece, sheet.inches(0.8), sheet.inches(0.3), hand)) {
    const half = hand.between(2.5, 5) * sheet.grain
    d += sheet.line([[x - half, y], [x + half, y]])
  }
  sheet.path(d, 'none', '#5f8794', 1.1, ROUND)
}

function shore(sheet: Sheet, piece: Piece, others: Piece[], inset: number, hand: Hand): Point[][] {
  const { width, depth } = sheet.table
  const runs: Point[][] = []
  let run: Point[] = []
  const points = samples(piece, sheet.inches(0.3))
  points.push(points[0])
  for (const [x, y, nx, ny] of points) {
    const onEdge = Math.min(x, y, width - x, depth - y) < 1
    const near = (o: Piece) => contains(o, x, y) || edgeDistance(o, x, y) < sheet.inches(0.12)
    const px = x - nx * inset
    const py = y - ny * inset
    const crowded = inset > 0 && edgeDistance(piece, px, py) < inset * 0.9
    const gap = inset > 0 && hand.number() < 0.06
    if (onEdge || others.some(near) || crowded || gap || px < 0 || px > width) {
      if (run.length > 2) runs.push(run)
      run = []
    } else run.push([px, py])
  }
  if (run.length > 2) runs.push(run)
  return runs
}

/** Places along the middle of a line-like piece, each with the direction of the line in degrees of the page. */
function along(piece: Piece, spacing: number): [number, number, number][] {
  const axis = longAxis(piece)
  if (!axis) return scatter(piece, spacing, spacing * 0.4, new Hand(piece.id)).map(([x, y]) => [x, y, 0])
  const [[ax, ay], [bx, by]] = axis
  const n = Math.max(2, Math.round(distance(axis[0], axis[1]) / spacing))
  const turn = (-Math.atan2(by - ay, bx - ax) * 180) / Math.PI
  return Array.from({ length: n }, (_, k) => [ax + ((bx - ax) * (k + 0.5)) / n, ay + ((by - ay) * (k + 0.5)) / n, turn])
}

function verge(sheet: Sheet, piece: Piece): void {
  sheet.path(sheet.shape(piece), '#d8cfac', '#8f8263', 0.8, 'stroke-dasharray="2 3"')
}

const angleOf = (piece: Piece, otherwise: number) => {
  const axis = longAxis(piece)
  return axis ? Math.atan2(axis[1][1] - axis[0][1], axis[1][0] - axis[0][0]) : otherwise
}

/** A ramp that breaks the edge: lines that lead up it, or the steps of stairs. */
function ramp(sheet: Sheet, piece: Piece, [kind, ax, ay, bx, by]: Slope): void {
  // Round pieces have them all round.
  if (piece.circle && ax === bx && ay === by) {
    const half = sheet.inches(0.7)
    for (const [x, y, nx, ny] of samples(piece, sheet.inches(1.6))) ramp(sheet, piece, [kind, x - ny * half, y + nx * half, x + ny * half, y - nx * half])
    return
  }
  const wide = Math.hypot(bx - ax, by - ay)
  const [ux, uy] = [(bx - ax) / wide, (by - ay) / wide]
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2]
  const side = contains(piece, x - uy, y + ux) ? 1 : -1
  // Across from one side of the ramp, -1, to the other, 1, and up from its foot, 0, to its head, 1.
  const at = (across: number, up: number): Point => {
    const along = across * wide * 0.44 * (1 - 0.15 * up)
    const inwards = sheet.inches(-0.12 + 1.1 * up) * side
    return [x + ux * along - uy * inwards, y + uy * along + ux * inwards]
  }
  sheet.path(sheet.line([at(-1, 0), at(1, 0), at(1, 1), at(-1, 1)], true), '#efe6c8', '#8d7648', 0.8)
  const stairs = kind === 'stairs'
  const count = stairs ? 6 : Math.max(3, Math.round(wide / sheet.inches(0.3)))
  let d = ''
  for (let n = 1; n < count; n++)
    d += stairs
      ? sheet.line([at(-1, n / 6), at(1, n / 6)])
      : sheet.line([at((2 * n) / count - 1, 0.12), at((2 * n) / count - 1, 0.88)])
  sheet.path(d, 'none', stairs ? INK : '#b79f6a', stairs ? 1.3 : 0.9, ROUND)
}

/** The size class, on a small disc in the middle. */
function sizeDisc(sheet: Sheet, piece: Piece): void {
  const [x, y] = middle(piece)
  const [cx, cy] = [num(sheet.x(x)), num(sheet.y(y))]
  sheet.add(
    `<g class="size"><circle cx="${cx}" cy="${cy}" r="7" fill="${PAPER}" stroke="${INK}" stroke-width=".9"/>` +
      `<text x="${cx}" y="${num(sheet.y(y) + 3.6)}" font-size="10" font-weight="700" fill="${INK}" text-anchor="middle">${piece.size}</text></g>`,
  )
}

// From this size class on a hill counts twice, and is drawn with one contour more.
const DOUBLE = 5

const PAINTERS: Record<string, Painter> = {
  hill(sheet, piece, hand) {
    sheet.path(sheet.soft(piece), '#e0d2a4', '#8d7648', 1.3)
    if ((piece.size ?? 0) >= DOUBLE) sheet.path(sheet.rounded(shrunk(piece, 0.86)), '#dccb98', '#6f5a32', 1.6)
    sheet.path(sheet.rounded(shrunk(piece, 0.72)), '#d6c38d', '#a58c59', 0.8)
    sheet.path(sheet.rounded(shrunk(piece, 0.42)), '#cbb378', '#a58c59', 0.8)
    let d = ''
    const [mx, my] = middle(piece)
    for (const [factor, length] of [[0.985, 0.42], [0.72, 0.3]])
      for (const [x, y, nx, ny] of samples(piece, sheet.inches(0.42))) {
        const px = mx + (x - mx) * factor
        const py = my + (y - my) * factor
        const reach = sheet.inches(length) * hand.between(0.6, 1.25)
        const lean = hand.between(-0.12, 0.12)
        d += sheet.line([[px, py], [px - reach * (nx + lean * ny), py - reach * (ny - lean * nx)]])
      }
    sheet.path(d, 'none', '#8d7648', 0.8, 'stroke-linecap="round" opacity=".8"')
  },
  scree(sheet, piece, hand) {
    sheet.path(sheet.soft(piece), '#dcd3bd', '#9a8c74', 1, 'stroke-dasharray="2 4"')
    for (const [x, y] of scatter(piece, sheet.inches(0.75), sheet.inches(0.3), hand)) {
      const r = hand.between(2, 5.5) * sheet.scale * sheet.grain * 1.3
      const points = Array.from({ length: 5 }, (_, k) => {
        const turn = (2 * Math.PI * k) / 5 + hand.between(-0.4, 0.4)
        return `${num(sheet.x(x) + r * Math.cos(turn))} ${num(sheet.y(y) + r * 0.8 * Math.sin(turn))}`
      })
      sheet.path('M' + points.join('L') + 'z', '#c4b89e', '#6f6351', 0.8)
    }
  },
  field(sheet, piece) {
    const angle = angleOf(piece, 0.3)
    const rows = (step: number, margin: number) =>
      strokes(piece, angle, sheet.inches(step), sheet.inches(margin)).map((row) => sheet.line(row)).join('')
    sheet.path(sheet.shape(piece), '#e3d291', '#8a7434', 1.1, 'stroke-dasharray="6 2.5"')
    sheet.path(rows(0.5, 0.22), 'none', '#b79c4c', 1.3, 'stroke-dasharray="1.2 2.6"')
    sheet.path(rows(1, 0.3), 'none', '#a58a3c', 0.6)
  },
  swamp: (sheet, piece, hand) => marsh(sheet, piece, hand, '#cdd2a8', '#8fa7a3', '#6c7a4a'),
  mire(sheet, piece, hand) {
    marsh(sheet, piece, hand, '#b5b184', '#6b6a45', '#575226')
    for (const [x, y] of scatter(piece, sheet.inches(1.9), sheet.inches(0.7), hand)) {
      const r = hand.between(0.1, 0.17) * sheet.inches(1) * sheet.scale
      sheet.add(
        `<circle cx="${num(sheet.x(x))}" cy="${num(sheet.y(y))}" r="${num(r)}" fill="#8f8a5a" stroke="#4b461f" stroke-width=".9"/>`,
      )
    }
  },
  graveyard(sheet, piece, hand) {
    sheet.path(sheet.shape(piece), '#d5d2b2', '#5c5145', 1.8, 'stroke-dasharray="5 2"')
    for (const [x, y] of scatter(piece, sheet.inches(1.05), sheet.inches(0.55), hand))
      sheet.use('grave', x, y, hand.between(20, 25) * sheet.grain, hand.between(-7, 7))
  },
  bridge(sheet, piece) {
    sheet.path(sheet.shape(piece), '#c9ad7f', INK, 1.5)
    const planks = strokes(piece, angleOf(piece, 0) + Math.PI / 2, sheet.inches(0.36))
    sheet.path(planks.map((plank) => sheet.line(plank)).join(''), 'none', '#6d5636', 0.8)
  },
  ruin(sheet, piece, hand) {
    sheet.path(sheet.shape(piece), '#dbd3c0', '#7d7263', 0.9, 'stroke-dasharray="2.5 2.5"')
    const thick = sheet.inches(0.3)
    const runs: Point[][] = []
    let run: Point[] = []
    let left = hand.between(sheet.inches(1.2), sheet.inches(3.2))
    let standing = true
    for (const [x, y, nx, ny] of samples(piece, sheet.inches(0.2))) {
      left -= sheet.inches(0.2)
      if (left <= 0) {
        if (run.length) runs.push(run)
        run = []
        standing = !standing
        left = sheet.inches(standing ? hand.between(1.4, 3.6) : hand.between(0.5, 1.3))
      }
      if (standing) {
        const shift = thick * 0.62 + hand.between(-0.5, 0.5)
        run.push([x - nx * shift, y - ny * shift])
      }
    }
    if (run.length) runs.push(run)
    for (const wall of runs.filter((points) => points.length > 2)) {
      sheet.path(sheet.line(wall), 'none', INK, thick * sheet.scale + 1.6, 'stroke-linejoin="round"')
      sheet.path(sheet.line(wall), 'none', '#a99d89', thick * sheet.scale - 0.8, 'stroke-linejoin="round"')
    }
    for (const [x, y] of scatter(piece, sheet.inches(1.25), sheet.inches(0.8), hand)) {
      const r = hand.between(1.6, 3.6) * sheet.grain
      const stone: Point[] = [[x - r, y], [x, y + r], [x + r * 1.2, y + r * 0.2], [x + r * 0.3, y - r]]
      sheet.path(sheet.line(stone, true), '#bdb29e', '#6b6053', 0.8)
    }
  },
  thorns(sheet, piece, hand) {
    sheet.path(sheet.soft(piece), '#cdcb9a', '#6b7042', 1.1, 'stroke-dasharray="1.5 3"')
    for (const [x, y] of scatter(piece, sheet.inches(0.9), sheet.inches(0.4), hand))
      sheet.use('thorn', x, y, hand.between(24, 32) * sheet.grain, hand.between(0, 360))
  },
  wall(sheet, piece) {
    const axis = longAxis(piece)
    if (!axis) return sheet.path(sheet.shape(piece), '#b9ad97', INK, 1.6)
    verge(sheet, piece)
    const thick = Math.max(Math.min(axis[2], sheet.inches(0.5)) * sheet.scale, 4)
    const d = sheet.line([axis[0], axis[1]])
    sheet.path(d, 'none', INK, thick + 2)
    sheet.path(d, 'none', '#b9ad97', thick - 0.6)
    sheet.path(d, 'none', INK, thick - 0.6, `stroke-dasharray="1.1 ${num(sheet.inches(0.45) * sheet.scale)}"`)
  },
  fence(sheet, piece) {
    verge(sheet, piece)
    const axis = longAxis(piece)
    if (axis)
      for (const [width, colour] of [[5.4, '#5a4527'], [2.6, '#d8cfac']] as [number, string][])
        sheet.path(sheet.line([axis[0], axis[1]]), 'none', colour, width)
    for (const [x, y, turn] of along(piece, sheet.inches(0.8)))
      sheet.path('M0-6.5V6.5', 'none', '#5a4527', 3, `stroke-linecap="round" transform="translate(${sheet.at(x, y)}) rotate(${num(turn)})"`)
  },
  barricade(sheet, piece, hand) {
    verge(sheet, piece)
    const axis = longAxis(piece)
    if (axis) sheet.path(sheet.line([axis[0], axis[1]]), 'none', '#5a4527', 2.6, ROUND)
    for (const [x, y, turn] of along(piece, sheet.inches(0.62))) {
      const spin = num(turn + hand.between(-9, 9))
      sheet.path('M-4-7L4 7M4-7L-4 7', 'none', '#5a4527', 2, `stroke-linecap="round" transform="translate(${sheet.at(x, y)}) rotate(${spin})"`)
    }
  },
  hedge(sheet, piece, hand) {
    sheet.path(sheet.shape(piece), '#9dab78', '#56663f', 0.9)
    const size = Math.max(longAxis(piece)?.[2] ?? sheet.inches(1), sheet.inches(0.6))
    for (const [x, y] of along(piece, size * 0.62))
      sheet.use('bush', x, y, size * 1.75 * hand.between(0.85, 1.05), hand.between(0, 360))
  },
  palisade(sheet, piece) {
    sheet.path(sheet.shape(piece), '#b58d58', INK, 1.2)
    const size = Math.min(longAxis(piece)?.[2] ?? sheet.inches(0.5), sheet.inches(0.6))
    for (const [x, y] of along(piece, size * 0.85))
      sheet.add(
        `<circle cx="${num(sheet.x(x))}" cy="${num(sheet.y(y))}" r="${num(size * 0.42 * sheet.scale)}" fill="#d0aa74" stroke="${INK}"/>`,
      )
  },
  forest(sheet, piece, hand) {
    sheet.path(sheet.soft(piece), '#c3cd9f', '#c3cd9f', 5, 'opacity=".55" stroke-linejoin="round"')
    sheet.path(sheet.soft(piece), '#bac796', '#5a6d45', 1, 'stroke-dasharray="3 3"')
    for (const [x, y] of scatter(piece, sheet.inches(0.94), sheet.inches(0.66), hand)) {
      const tree = ['tree1', 'tree2', 'tree3'][Math.floor(hand.number() * 2.999)]
      sheet.use(tree, x, y, sheet.inches(hand.between(1, 1.35)), hand.between(-25, 25))
    }
  },
  rocks(sheet, piece, hand, box) {
    shadow(sheet, piece)
    sheet.path(sheet.shape(piece), '#b3a998', INK, 1.8, 'stroke-linejoin="round"')
    const rim = rimOf(piece, box.reach * 0.8)
    const [mx, my] = middle(piece)
    if (!contains(piece, mx, my)) return
    const top = rim.map(([x, y]): Point => {
      const near = hand.between(0.36, 0.58)
      return [mx + (x - mx) * near - box.reach * 0.07, my + (y - my) * near + box.reach * 0.09]
    })
    rim.forEach(([bx, by], i) => {
      const j = (i || rim.length) - 1
      const [ax, ay] = rim[j]
      const light = (-(by - ay) - (bx - ax)) / Math.max(1e-6, Math.hypot(bx - ax, by - ay)) / Math.SQRT2
      const tone = light > 0.3 ? '#cbc2b1' : light > -0.4 ? '#aca291' : '#867c6d'
      sheet.path(sheet.line([rim[j], rim[i], top[i], top[j]], true), tone, '#564d42', 0.7)
    })
    sheet.path(sheet.line(top, true), '#d9d1c2', '#564d42', 0.8, 'stroke-linejoin="round"')
    const cracks: Point[] = [[(top[0][0] + mx) / 2, (top[0][1] + my) / 2], [mx, my], top[Math.floor(top.length / 2)]]
    sheet.path(sheet.line(cracks), 'none', '#7b7163', 0.8, ROUND)
  },
  cliff(sheet, piece, hand) {
    shadow(sheet, piece)
    sheet.path(sheet.shape(piece), '#9c917f', INK, 2, 'stroke-linejoin="round"')
    const top = shrunk(piece, 0.84)
    const [mx, my] = middle(piece)
    let d = ''
    for (const [x, y] of samples(piece, sheet.inches(0.34))) {
      const near = hand.between(0.84, 0.93)
      d += sheet.line([[x, y], [mx + (x - mx) * near, my + (y - my) * near]])
    }
    sheet.path(d, 'none', '#4d443a', 1.2, 'stroke-linecap="round"')
    sheet.path(sheet.line(top, true), '#d8cda6', INK, 1.3, 'stroke-linejoin="round"')
    for (const [x, y] of scatter({ corners: top }, sheet.inches(2), sheet.inches(0.7), hand))
      sheet.use('grass', x, y, hand.between(18, 24) * sheet.grain, hand.between(-8, 8))
  },
  hollow(sheet, piece) {
    sheet.path(sheet.soft(piece), '#d5c9a0', '#8d7648', 1.3)
    sheet.path(sheet.rounded(shrunk(piece, 0.78)), '#c6b88c', '#a58c59', 0.8)
    sheet.path(sheet.rounded(shrunk(piece, 0.5)), '#b5a679', '#a58c59', 0.8)
    const long = sheet.inches(0.35)
    const marks = samples(piece, sheet.inches(0.45)).map(([x, y, nx, ny]) => sheet.line([[x, y], [x - nx * long, y - ny * long]]))
    sheet.path(marks.join(''), 'none', '#8d7648', 0.9, ROUND)
  },
  floor(sheet, piece, hand) {
    shadow(sheet, piece)
    sheet.path(sheet.shape(piece), '#d8c197', INK, 1.4)
    const planks = strokes(piece, hand.between(-0.03, 0.03), sheet.inches(0.45))
    sheet.path(planks.map((row) => sheet.line(row)).join(''), 'none', '#9a8052', 0.8)
  },
  masonry(sheet, piece) {
    shadow(sheet, piece)
    sheet.path(sheet.shape(piece), '#a79d8c', INK, 1.3)
    const axis = longAxis(piece)
    const turn = axis ? Math.atan2(axis[1][1] - axis[0][1], axis[1][0] - axis[0][0]) : 0
    const joints = strokes(piece, turn + Math.PI / 2, sheet.inches(0.5))
    sheet.path(joints.map((row) => sheet.line(row)).join(''), 'none', '#6d6455', 0.9)
  },
  partition(sheet, piece) {
    sheet.path(sheet.shape(piece), '#5b5048', INK, 1)
  },
  torch(sheet, piece) {
    const [x, y] = middle(piece)
    const [cx, cy] = [num(sheet.x(x)), num(sheet.y(y))]
    sheet.add(`<circle cx="${cx}" cy="${cy}" r="${num(sheet.inches(0.9) * sheet.scale)}" fill="#ffd46b" opacity=".35"/>`)
    sheet.path(sheet.shape(piece), '#8a6a3c', INK, 0.9)
    sheet.add(`<circle cx="${cx}" cy="${cy}" r="${num(Math.max(2.5, sheet.inches(0.16) * sheet.scale))}" fill="#f6a821" stroke="#b5541c" stroke-width="1"/>`)
  },
  building(sheet, piece) {
    shadow(sheet, piece)
    if (piece.levels.length) {
      // A roof that can be stood on: flat, with a rim.
      sheet.path(sheet.shape(piece), '#c9a58c', INK, 2)
      const rows = strokes(piece, Math.PI / 4, sheet.inches(0.5), sheet.inches(0.15))
      sheet.path(rows.map((row) => sheet.line(row)).join(''), 'none', '#b08a70', 0.7)
      sheet.path(sheet.line(shrunk(piece, 0.92), true), 'none', '#8a6048', 1.4)
      return
    }
    const axis = longAxis(piece)
    if (!axis) {
      sheet.path(sheet.shape(piece), '#b9775c', INK, 2, 'stroke-linejoin="round"')
      const inner = shrunk(piece, 0.55)
      sheet.path(sheet.line(inner, true), '#c98b6e', INK, 1)
      const rim = rimOf(piece, 1.2 * INCH)
      return sheet.path(rim.map((p, i) => sheet.line([p, inner[i]])).join(''), 'none', INK, 0.7)
    }
    const [start, end, wide] = axis
    const length = distance(start, end)
    const inset = Math.min(0.32 * wide, 0.35 * length) / length
    const a: Point = [start[0] + (end[0] - start[0]) * inset, start[1] + (end[1] - start[1]) * inset]
    const b: Point = [end[0] + (start[0] - end[0]) * inset, end[1] + (start[1] - end[1]) * inset]
    const nearer = (p: Point) => (distance(p, a) < distance(p, b) ? a : b)
    const corners = piece.corners!
    corners.forEach((q, i) => {
      const p = corners[(i || corners.length) - 1]
      const light = (-(q[1] - p[1]) - (q[0] - p[0])) / Math.max(1e-6, distance(p, q))
      const face = nearer(p) === nearer(q) ? [p, q, nearer(q)] : [p, q, nearer(q), nearer(p)]
      sheet.path(sheet.line(face, true), light > 0 ? '#c98b6e' : '#ab6a51', '#6b3f30', 0.8)
    })
    const tiles = strokes(piece, Math.atan2(end[1] - start[1], end[0] - start[0]), wide / 7, sheet.inches(0.15))
    sheet.path(tiles.map((row) => sheet.line(row)).join(''), 'none', '#8a523e', 0.5)
    sheet.path(sheet.line([a, b]), 'none', INK, 1.6, ROUND)
    sheet.path(sheet.shape(piece), 'none', INK, 2, 'stroke-linejoin="round"')
  },
}

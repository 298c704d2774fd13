// What the drawings say in words.

import { length, thing, WORDS, type Lang } from '../words'
import type { Piece } from './terrain'

/** A piece of terrain: what it is, what it does, how high it is. */
export function pieceWords(piece: Piece, measure: string, lang: Lang): string {
  const high = piece.height > 0.5 ? `; ${length(piece.height, measure, lang)} ${WORDS[lang].high}` : ''
  return `${thing(piece.kind, lang)}${lang === 'fr' ? ' :' : ':'} ${traitWords(piece, lang)}${high}`
}

export function traitWords(piece: Piece, lang: Lang): string {
  const traits = piece.traits.map((trait) => thing(trait, lang))
  if (piece.levels.length) traits.unshift(thing(piece.levels[0] > 0 ? 'heights' : 'depths', lang))
  if (piece.size) traits.unshift(`${thing('size', lang)} ${piece.size}`)
  for (const kind of new Set(piece.slopes?.map(([kind]) => kind))) traits.push(thing(kind, lang))
  return traits.join(', ') || thing('open', lang)
}

// A first battle is begun with one request: it is deployed already.

import { page } from '../page.svelte'
import { othersOf } from '../seats'
import { named, type Named } from '../words'

/** A first battle that can be begun. */
export interface First {
  id: string
  game: string
  name: Named
  about: Named
  hints: number
  own?: boolean
}

/** Begin it and sit down at its table; false if that did not work. */
export async function beginFirst(id: string, name: Named | undefined): Promise<boolean> {
  const response = await fetch('/api/first-battles', { method: 'POST', body: JSON.stringify({ id }), headers: { 'content-type': 'application/json' } }).catch(() => null)
  if (!response?.ok) return false
  const made = await response.json()
  const path: string = made.seats[0].link
  page.hint(true)
  page.keep({ id: made.id, path, title: named(name, page.lang), when: Date.now(), others: othersOf(made) })
  page.go(path)
  return true
}

// Playing again: the battle after this one, and a seat at it.

import { page } from '../page.svelte'
import { othersOf } from '../seats'

/** Sit down at the next battle, made now if nobody has asked for it; false if that did not work. */
export async function playAgain(id: string, secret: string, title: string, swap = false): Promise<boolean> {
  const response = await fetch(`/api/battles/${encodeURIComponent(id)}/rematch`, {
    method: 'POST',
    body: JSON.stringify({ seat: secret, swap }),
    headers: { 'content-type': 'application/json' },
  }).catch(() => null)
  if (!response?.ok) return false
  const made = await response.json()
  const path: string = made.seats[0]?.link ?? made.spectator.link
  page.keep({ id: made.id, path, title, when: Date.now(), others: othersOf(made) })
  page.go(path)
  return true
}

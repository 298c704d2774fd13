// Profiles that somebody copied from a book of his own, or made up: kept in this browser for every list to come.

import type { Profile } from './draft.svelte'

const KEY = 'oriflamme.profiles'
const MOST = 200

type Kept = Record<string, Profile[]>

function read(): Kept {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return found && typeof found === 'object' && !Array.isArray(found) ? found : {}
  } catch {
    return {}
  }
}

const nameOf = (profile: Profile) => String(profile.name ?? '')

class Profiles {
  private all = $state.raw<Kept>(read())

  /** Those of a game, by their names. */
  of(game: string): Profile[] {
    const kept = this.all[game]
    return Array.isArray(kept) ? [...kept].sort((a, b) => nameOf(a).localeCompare(nameOf(b))) : []
  }

  /** Keep one; another of the same name gives way. */
  put(game: string, profile: Profile): void {
    const others = (read()[game] ?? []).filter((one) => nameOf(one) !== nameOf(profile))
    this.write(game, [profile, ...others].slice(0, MOST))
  }

  drop(game: string, profile: Profile): void {
    this.write(game, (read()[game] ?? []).filter((one) => nameOf(one) !== nameOf(profile)))
  }

  private write(game: string, profiles: Profile[]): void {
    this.all = { ...read(), [game]: profiles }
    try {
      localStorage.setItem(KEY, JSON.stringify(this.all))
    } catch {
      // A browser that keeps nothing: the unit is in its list all the same.
    }
  }
}

export const profiles = new Profiles()

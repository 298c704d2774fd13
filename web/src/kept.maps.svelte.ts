// The maps somebody made, kept in this browser: the text of the file each is.

export interface KeptMap {
  id: string
  /** The game it was made for. */
  game: string
  name: string
  text: string
}

const KEY = 'oriflamme.maps'
const MOST = 30
const LONGEST = 100_000

function read(): KeptMap[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => one && typeof one.id === 'string' && typeof one.text === 'string') : []
  } catch {
    return []
  }
}

class KeptMaps {
  maps = $state.raw<KeptMap[]>(read())

  /** Keep a map; one of the same name for the same game is replaced. False if it is too long to be kept. */
  put(game: string, name: string, text: string): boolean {
    if (text.length > LONGEST) return false
    const others = read().filter((one) => one.game !== game || one.name !== name)
    return this.write([{ id: Math.random().toString(36).slice(2, 10), game, name, text }, ...others].slice(0, MOST))
  }

  drop(id: string): void {
    this.write(read().filter((one) => one.id !== id))
  }

  private write(maps: KeptMap[]): boolean {
    this.maps = maps
    try {
      localStorage.setItem(KEY, JSON.stringify(maps))
      return true
    } catch {
      return false
    }
  }
}

export const keptMaps = new KeptMaps()

// The lists somebody made, kept in this browser.

export interface KeptList {
  id: string
  game: string
  name: string
  points: number
  cost: number
  legal: boolean
  /** The draft as the muster edits it, and the list as a battle takes it: JSON. */
  draft: unknown
  text: string
  agreed?: Record<string, string>
  when: number
}

const KEY = 'oriflamme.lists'
const MOST = 60

function read(): KeptList[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => one && typeof one.id === 'string' && one.draft) : []
  } catch {
    return []
  }
}

class Kept {
  lists = $state.raw<KeptList[]>(read())

  constructor() {
    // Another tab has changed them.
    addEventListener('storage', (event) => {
      if (event.key === KEY) this.lists = read()
    })
  }

  put(list: KeptList): void {
    this.write([list, ...read().filter((one) => one.id !== list.id)].slice(0, MOST))
  }

  drop(id: string): void {
    this.write(read().filter((one) => one.id !== id))
  }

  private write(lists: KeptList[]): void {
    this.lists = lists
    try {
      localStorage.setItem(KEY, JSON.stringify(lists))
    } catch {
      // A browser that keeps nothing: the list can still be shared and saved.
    }
  }
}

export const kept = new Kept()
export const newId = (): string => Math.random().toString(36).slice(2, 10) + Date.now().toString(36)

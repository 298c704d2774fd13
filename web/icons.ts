// Picks the icons that are used out of the whole game-icons set when the pages are built.

import { icons as all } from '@iconify-json/game-icons'
import type { Plugin } from 'vite'
import { PICKED } from './src/drawing/picked'

const NAME = 'virtual:icons'

export function icons(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id === NAME ? '\0' + NAME : null),
    load(id) {
      if (id !== '\0' + NAME) return null
      const used = [...new Set(Object.values(PICKED).map(([name]) => name))].sort()
      const missing = used.filter((name) => !(name in all.icons))
      if (missing.length) throw new Error(`the game-icons set has no ${missing.join(', ')}`)
      return `export default ${JSON.stringify(Object.fromEntries(used.map((name) => [name, all.icons[name].body])))}`
    },
  }
}

// Picks the icons that are used out of the whole game-icons set when the pages are built.

import type { Plugin } from 'vite'
import { PICKED } from './src/drawing/picked.ts'

const NAME = 'virtual:icons'
const SET = '@iconify-json/game-icons/icons.json'

/** Of 512 units a tenth is less than anybody sees: more digits would only be fetched. */
const rounded = (body: string) =>
  body.replace(/ d="[^"]*"/g, (d) => d.replace(/-?\d*\.\d+/g, (n) => String(Number(Number(n).toFixed(1))).replace(/^(?=\d)/, ' ')))

export function icons(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id === NAME ? '\0' + NAME : null),
    async load(id) {
      if (id !== '\0' + NAME) return null
      const found = await this.resolve(SET)
      if (!found) {
        this.warn('the icon set is not installed (npm ci): figures will show letters')
        return 'export default {}'
      }
      const all = JSON.parse(await this.fs.readFile(found.id, { encoding: 'utf8' })).icons as Record<string, { body: string }>
      const used = [...new Set(Object.values(PICKED).map(([name]) => name))].sort()
      const missing = used.filter((name) => !(name in all))
      if (missing.length) this.error(`the game-icons set has no ${missing.join(', ')}`)
      return `export default ${JSON.stringify(Object.fromEntries(used.map((name) => [name, rounded(all[name].body)])))}`
    },
  }
}

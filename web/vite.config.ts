import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, defineConfig, type Plugin } from 'vite'
import { icons } from './icons.ts'

// A replay that is exported is a page of its own, built along with the others.
const film: Plugin = {
  name: 'film',
  apply: 'build',
  closeBundle: { sequential: true, handler: async () => void (await build({ configFile: 'vite.film.config.ts' })) },
}

// The page is served by `oriflamme serve` from its package; while developing, `npm run dev` hands requests on to it.
export default defineConfig({
  plugins: [svelte(), icons(), film],
  base: '/',
  build: { outDir: '../src/oriflamme/server/static', emptyOutDir: true, target: 'es2022', rolldownOptions: { checks: { pluginTimings: false } } },
  server: { proxy: { '/api': 'http://127.0.0.1:8000', '/ws': { target: 'http://127.0.0.1:8000', ws: true } } },
})

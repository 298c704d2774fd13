import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { icons } from './icons.ts'

// The page is served by `oriflamme serve` from its package; while developing, `npm run dev` hands requests on to it.
export default defineConfig({
  plugins: [svelte(), icons()],
  base: '/',
  build: { outDir: '../src/oriflamme/server/static', emptyOutDir: true, target: 'es2022', rolldownOptions: { checks: { pluginTimings: false } } },
  server: { proxy: { '/api': 'http://127.0.0.1:8000', '/ws': { target: 'http://127.0.0.1:8000', ws: true } } },
})

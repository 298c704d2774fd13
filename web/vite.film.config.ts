import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { icons } from './icons.ts'

// The replay as one script and one style sheet, which the server puts into a single page together with a battle.
export default defineConfig({
  plugins: [svelte(), icons()],
  base: './',
  build: {
    outDir: '../src/oriflamme/server/static/film',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/replay/standalone.ts',
      output: { codeSplitting: false, entryFileNames: 'film.js', assetFileNames: 'film[extname]' },
      checks: { pluginTimings: false },
    },
  },
})

import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// What needs no browser is tried in Node, where state is plain data.
export default defineConfig({ plugins: [svelte()], test: { include: ['tests/**/*.test.ts'], environment: 'node' } })

import svelte from 'eslint-plugin-svelte'
import { defineConfig } from 'eslint/config'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default defineConfig(
  { ignores: ['node_modules/', 'src/messages.ts'] },
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      // TypeScript finds them, and knows more.
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Markup of the drawings is made here, from data that is escaped (`drawing/terrain.ts`).
      'svelte/no-at-html-tags': 'off',
      // What is told is replaced as a whole ($state.raw): sets and maps are never changed once they are shown.
      'svelte/prefer-svelte-reactivity': 'off',
      // Lists that are told anew as a whole have nothing to be known by.
      'svelte/require-each-key': 'off',
      // A space between two words that must stay.
      'svelte/no-useless-mustaches': 'off',
    },
  },
)

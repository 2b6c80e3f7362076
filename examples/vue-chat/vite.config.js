import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

// In Banksman's own repository the client is taken from its sources; elsewhere it is the installed package's.
const sources = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))

// Templates are compiled here and not in the browser: the server's content security policy allows no `eval`, no inline
// script, no inline style and no data: address.
export default defineConfig({
  base: './',
  resolve: { alias: existsSync(sources) ? { 'banksman/client': sources } : {} },
  plugins: [vue()],
  build: {
    target: 'es2024',
    outDir: 'dist',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})

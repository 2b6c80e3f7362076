import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

// Templates are compiled here and not in the browser: the server's content security policy allows no `eval`, no inline
// script, no inline style and no data: address.
export default defineConfig({
  base: './',
  plugins: [vue()],
  build: {
    target: 'es2024',
    outDir: 'dist',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})

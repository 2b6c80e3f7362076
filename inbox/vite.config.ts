import { defineConfig } from 'vite'

// Everything in files of our own: the server's content security policy allows no inline script, no inline style,
// no data: address and no other host.
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2024',
    outDir: 'dist',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
})

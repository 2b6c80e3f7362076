import { createHash } from 'node:crypto'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const WORKER = 'service-worker'

// Everything in files of our own: the server's content security policy allows no inline script, no inline style,
// no data: address and no other host.
export default defineConfig({
  base: './',
  // Without the places in the sources, also where tests build it: they measure what is shipped.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [tellWorkerOfShell()],
  build: {
    target: 'es2024',
    outDir: 'dist',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: 'index.html', [WORKER]: 'src/service-worker.ts' },
      output: {
        // A worker is found again by its name, and governs only what lies below it.
        entryFileNames: ({ name }) => (name === WORKER ? `${WORKER}.js` : 'assets/[name]-[hash].js'),
      },
    },
  },
})

/** The worker keeps what the first page needs. It must be another one for each build, or old files would stay. */
function tellWorkerOfShell(): Plugin {
  return {
    name: 'tell-worker-of-shell',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle[`${WORKER}.js`]
      if (worker?.type !== 'chunk') throw new Error('the service worker was not built')
      // A classic worker can't import: whatever it shares with the page would end up in a file of its own.
      if (worker.imports.length + worker.dynamicImports.length + worker.exports.length > 0)
        throw new Error(`the service worker must stand alone; it imports ${worker.imports.join(', ')}`)
      const page = Object.values(bundle).find(
        (file): file is Rolldown.OutputChunk =>
          file.type === 'chunk' && file.isEntry && file.name === 'index',
      )
      if (page === undefined) throw new Error('the page was not built')
      const build = createHash('sha256')
        .update(JSON.stringify(Object.keys(bundle).sort()))
        .digest('hex')
      const shell = JSON.stringify({ build: build.slice(0, 16), files: filesOf(page, bundle) })
      if (!worker.code.includes('__SHELL__')) throw new Error('the service worker does not ask for the shell')
      worker.code = worker.code.replaceAll('__SHELL__', () => shell)
    },
  }
}

/** The script of a page, all that it imports at once, and their styles. */
function filesOf(page: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>()
  const look = (chunk: Rolldown.OutputChunk) => {
    if (found.has(chunk.fileName)) return
    found.add(chunk.fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') look(imported)
    }
  }
  look(page)
  return [...found]
}

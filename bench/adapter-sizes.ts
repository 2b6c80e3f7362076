/**
 * How large each adapter is: lines of its own folder, and what an import of it loads of ours as it is built (`npm run build:package`
 * first). The framework itself isn't counted: whoever uses an adapter has it loaded already.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Figure, figure } from './measure.ts'

const ROOT = join(import.meta.dirname, '..')
const ADAPTERS = join(ROOT, 'src/adapters')

export async function benchAdapterSizes(): Promise<Figure[]> {
  if (!existsSync(join(ROOT, 'dist/index.js')))
    throw new Error('the package is not built yet; run: npm run build:package')
  const names = readdirSync(ADAPTERS).filter((name) => statSync(join(ADAPTERS, name)).isDirectory())
  return names.flatMap((name) => {
    const files = closure(join(ROOT, 'dist/adapters', name, 'index.js'))
    const bytes = [...files].reduce((sum, file) => sum + statSync(file).size, 0)
    return [
      figure(`banksman/${name}: its own source`, 'lines', [linesIn(join(ADAPTERS, name))]),
      figure(`banksman/${name}: files of ours that an import loads`, 'files', [files.size]),
      figure(`banksman/${name}: their size`, 'kB', [bytes / 1000]),
    ]
  })
}

function linesIn(folder: string): number {
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return sources.reduce(
    (sum, name) => sum + readFileSync(join(folder, name), 'utf8').split('\n').length - 1,
    0,
  )
}

/** Late imports aren't loaded until somebody needs them. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, from] of text.matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];?$/gm))
    closure(join(dirname(file), from!), seen)
  return seen
}

/**
 * Builds what is published: the declarations, one a source file, and the programs, put together into few files. Node takes
 * about a third of a millisecond for each file that it loads, and a gateway is made of some 350.
 *
 * What a subpath or a late import needs and others don't stays apart, so that nobody loads more than before. Names and lines
 * are kept as they are, for stack traces; comments are in the declarations.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const NOTICES = join(DIST, 'third-party-licenses.txt')

/**
 * Libraries of which a copy is put into our files. yaml and zod are made of some eighty each, and every command that reads
 * `banksman.yaml` would wait for them. One function each of jsonc-parser and smol-toml is used, by
 * three commands.
 */
const COPIED = ['jsonc-parser', 'smol-toml', 'yaml', 'zod']

/** These take schemas that programs make with their own zod, and must be of one copy with it. */
const OPEN_TO_SCHEMAS = /\/src\/(?:agents\/(?:tools|loop|demonstration)|testing)\//

const startedAt = Date.now()
const doors = doorsOf(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
})
const programs = await bundle([...doors, 'cli/main'])
writeFileSync(NOTICES, notices())
sweep(new Set([...programs, ...declarationsFor(doors), NOTICES]))
console.log(`the package is built, in ${Date.now() - startedAt} ms`)

/** `./dist/policy/index.js` is the door `policy/index`. */
function doorsOf({ exports }: { exports: Record<string, string | { default: string }> }): string[] {
  return Object.values(exports).flatMap((target) => {
    return typeof target === 'string' ? [] : [target.default.replace(/^\.\/dist\/(.+)\.js$/, '$1')]
  })
}

async function bundle(entries: string[]): Promise<string[]> {
  const bundled = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map((entry) => [entry, join(ROOT, `src/${entry}.ts`)])),
    platform: 'node',
    // The other form of jsonc-parser loads its files by names that a bundler can't see.
    resolve: { mainFields: ['module', 'main'] },
    external: isImported,
    onLog(level, log, handle) {
      handle(level === 'warn' ? 'error' : level, log)
    },
  })
  const { output } = await bundled.write({
    dir: DIST,
    format: 'esm',
    entryFileNames: '[name].js',
    // One folder deep, as the rooms are in `src`: the package's own files are found from there.
    chunkFileNames: ({ name, moduleIds }) => `parts/${partName(name, moduleIds)}.js`,
    comments: false,
    codeSplitting: {
      groups: [
        // What the bundler needs itself would else lie in the part that uses most of it, and all others would load that.
        { name: 'bundled', test: 'rolldown/runtime' },
        ...COPIED.map((name) => ({ name, test: `/node_modules/${name}/` })),
      ],
    },
  })
  await bundled.close()
  return output.map(({ fileName }) => join(DIST, fileName))
}

/** Whether a module is left to be found in `node_modules`, or in Node itself. */
function isImported(id: string, importer: string | undefined): boolean {
  if (/^[./]/.test(id)) return false
  return !COPIED.includes(id) || OPEN_TO_SCHEMAS.test(importer ?? '')
}

/** After the path of its main file, such as `stores-redis-store`: it is what stack traces show. */
function partName(name: string, modules: readonly string[]): string {
  const main = modules.findLast((module) => module.endsWith(`/${name}.ts`))
  const [, path] = /\/src\/(.+)\.ts$/.exec(main ?? '') ?? []
  return path?.replaceAll('/', '-') ?? name
}

function notices(): string {
  return COPIED.map((name) => {
    const folder = join(ROOT, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    const license = ['LICENSE', 'LICENSE.md']
      .map((file) => join(folder, file))
      .find((file) => existsSync(file))!
    return `Parts of these files are from ${name} ${version}:\n\n${readFileSync(license, 'utf8')}`
  }).join('\n')
}

/** Only what can be reached from a door is of use to who compiles against it. */
function declarationsFor(entries: string[]): string[] {
  const found = new Set<string>()
  const pending = entries.map((entry) => join(DIST, `${entry}.d.ts`))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue
    found.add(next)
    const text = readFileSync(next, 'utf8')
    for (const [, from = ''] of text.matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g)) {
      const path = resolve(dirname(next), from.replace(/\.[jt]s$/, '.d.ts'))
      if (!existsSync(path)) throw new Error(`${next} imports ${from}, which is not there`)
      pending.push(path)
    }
  }
  return [...found]
}

/** What an earlier build has left behind would be published too. */
function sweep(wanted: ReadonlySet<string>): void {
  for (const path of below(DIST, (entry) => entry.isFile())) if (!wanted.has(path)) rmSync(path)
  // The deepest first.
  for (const path of below(DIST, (entry) => entry.isDirectory())
    .sort()
    .reverse()) {
    if (globSync('*', { cwd: path }).length === 0) rmSync(path, { recursive: true })
  }
}

function below(folder: string, isWanted: (entry: { isFile(): boolean; isDirectory(): boolean }) => boolean) {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter(isWanted)
    .map((entry) => join(entry.parentPath, entry.name))
}

#!/usr/bin/env node
/**
 * The program. It is plain JavaScript that old versions of Node can read, so that they say what is missing instead of
 * stopping at a syntax error somewhere inside.
 */
import { existsSync, writeSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const OLDEST = [22, 13]
/** From here on Node runs `.ts` files as they are. */
const OLDEST_FOR_SOURCES = '22.18'

const isHook = process.argv[2] === 'hook'
const built = new URL('../dist/cli/main.js', import.meta.url)
const sources = new URL('../src/cli/main.ts', import.meta.url)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  fail(
    `Banksman needs Node ${OLDEST.join('.')} or newer; this is ${process.version}. ` +
      'Install a newer Node, or put one in front of this one in your PATH, and run the same command again.',
  )
} else if (existsSync(fileURLToPath(sources)) && process.features.typescript) {
  // A checkout: the sources are never older than themselves, which what was built from them may be.
  run(sources)
} else if (existsSync(fileURLToPath(built))) {
  keepCompiled()
  run(built)
} else {
  fail(
    `this is a checkout of Banksman that has not been built, and Node ${process.version} can't run its sources as ` +
      `they are. Run "npm run build" first, or use Node ${OLDEST_FOR_SOURCES} or newer.`,
  )
}

function run(main) {
  hushSqliteWarning()
  let isDone = false
  // A coding agent makes the call when its hook ends without a word, or with another code: whatever happens, it is a no in words.
  if (isHook)
    process.once('exit', () => {
      if (isDone) return
      writeSync(2, 'banksman: not allowed: the hook ended without an answer\n')
      process.exitCode = 2
    })
  import(main.href)
    .then((program) => program.main(process.argv.slice(2)))
    .then((code) => {
      isDone = true
      process.exitCode = code
    })
}

/**
 * A command spends a third of its time on compiling, so what was compiled is kept for the next one. It is kept beside the
 * program, where it is written by who may replace the program anyway; in the usual place, a folder that all programs of
 * the machine share, anyone could leave something for us to run. Where the folder can't be written nothing is kept.
 */
function keepCompiled() {
  module.enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
}

/** Node 22 warns that its SQLite is experimental, on every command. We test on it; every other warning stays. */
function hushSqliteWarning() {
  const emitWarning = process.emitWarning
  process.emitWarning = function emit(warning, ...rest) {
    const text = warning instanceof Error ? warning.message : String(warning)
    if (text.startsWith('SQLite is an experimental feature')) return
    emitWarning.call(process, warning, ...rest)
  }
}

function fail(message) {
  console.error(`banksman: ${message}`)
  process.exitCode = isHook ? 2 : 1
}

/**
 * How long a program waits for us: for the import, for a gateway, and for a command from the shell. What is measured is the
 * package as it is built and installed (`npm run build:package` first), each in a process of its own, from its start to its
 * end. Beside it stands a Node that does nothing, and imports of libraries that are installed here by chance.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { benchFolder } from './bench-gateway.ts'
import { type Contestant, type Figure, interleave, ratio } from './measure.ts'

const ROOT = join(import.meta.dirname, '..')

/** Measured where they are installed, and left out where not. */
const OTHERS = ['hono', 'ai', '@langchain/langgraph']
const OTHER_FOLDERS = [ROOT, join(ROOT, 'bench/peers')]

export async function benchStart(rounds: number): Promise<Figure[]> {
  if (!existsSync(join(ROOT, 'dist/index.js')))
    throw new Error('the package is not built yet; run: npm run build:package')
  const folder = benchFolder()
  install(folder)
  const server = await startServer(folder)
  try {
    const contestants = [
      contestant('a Node that does nothing', folder, ['--eval', '0']),
      contestant("import 'banksman' (target at most 90)", folder, evaluated("import 'banksman'")),
      contestant(
        'and open a gateway on SQLite, starter policy (target at most 200)',
        folder,
        evaluated(OPENING),
      ),
      contestant('banksman --help', folder, command('--help')),
      contestant('banksman policy explain (target at most 200)', folder, command(...EXPLAIN)),
      contestant('banksman requests list (target at most 200)', folder, command('requests', 'list')),
      ...others(),
    ]
    // Once for the disk's cache, and for the code that commands keep compiled.
    for (const { run } of contestants) await run()
    const figures = await interleave(contestants, rounds)
    return [
      ...figures,
      ...figures
        .slice(1)
        .map((each) => ratio(`${each.name.replace(/ \(.*/, '')}, in bare Nodes`, each, figures[0]!)),
    ]
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

const OPENING = `
  import { openGateway } from 'banksman'
  const gateway = await openGateway({ store: 'sqlite:bench.db', policy: { extends: 'banksman:starter' } })
  await gateway.close()`

const EXPLAIN = ['policy', 'explain', 'git status; ls', '--tool', 'Bash']

function evaluated(program: string): string[] {
  return ['--input-type=module', '--eval', program]
}

function command(...words: string[]): string[] {
  return ['node_modules/banksman/bin/banksman.js', ...words]
}

/** As it would be in somebody's project: beside the sources the program would run those. */
function install(folder: string): void {
  const home = join(folder, 'node_modules/banksman')
  mkdirSync(home, { recursive: true })
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(home, part), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
  writeFileSync(join(folder, 'banksman.yaml'), 'policy: { extends: banksman:starter }\n')
}

async function startServer(folder: string): Promise<ChildProcess> {
  const server = spawn(process.execPath, command('start', '--port', '0'), {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(createInterface({ input: server.stdout }), 'line')
  return server
}

function contestant(name: string, cwd: string, parameters: string[]): Contestant {
  return { name, unit: 'ms', run: () => elapsed(cwd, parameters) }
}

async function elapsed(cwd: string, parameters: string[]): Promise<number> {
  const startedAt = performance.now()
  const program = spawn(process.execPath, parameters, { cwd, env: environment(cwd), stdio: 'ignore' })
  const [code] = await once(program, 'exit')
  if (code !== 0) throw new Error(`node ${parameters.join(' ')} ended with ${code}`)
  return performance.now() - startedAt
}

/** Nothing of the tester's own: neither what they trust nor what their Node keeps compiled. */
function environment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, BANKSMAN_HOME: folder, USER: 'ana' }
}

function others(): Contestant[] {
  return OTHERS.flatMap((name) => {
    const folder = OTHER_FOLDERS.find((each) => existsSync(join(each, 'node_modules', name, 'package.json')))
    if (folder === undefined) return []
    return [contestant(`for comparison, import '${name}'`, folder, evaluated(`import '${name}'`))]
  })
}

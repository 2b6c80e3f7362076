/**
 * The torture test. Plays every case with every contestant, prints the table, and compares it with docs/torture.md. `--write` writes it
 * there instead; `--only <framework>` plays one framework and compares nothing; `--explain` prints what the processes said.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CASES, type TortureCase, type Wrong } from './cases.ts'
import { openStage } from './stage.ts'
import { type Cell, FRAMEWORKS, renderTable } from './table.ts'

const PAGE = join(import.meta.dirname, '../../docs/torture.md')
const [BEGIN, END] = ['<!-- table: npm run torture -- --write -->', '<!-- end of the table -->']
/** As many as the smallest machine that we support has cores. */
const AT_ONCE = 2

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    case: { type: 'string' },
    explain: { type: 'boolean' },
    write: { type: 'boolean' },
  },
})
const frameworks = FRAMEWORKS.filter(({ id }) => values.only === undefined || values.only === id)
const cases = CASES.filter(({ name }) => values.case === undefined || name.includes(values.case))
if (frameworks.length === 0 || cases.length === 0) {
  console.error(`--only takes ${FRAMEWORKS.map(({ id }) => id).join(', ')}; --case a part of a case's name`)
  process.exit(2)
}

const cells = await playAll()
const table = renderTable(cases, frameworks, cells, versionOf)
console.log(`\n${table}`)
const isWhole = values.only === undefined && values.case === undefined
if (isWhole) process.exitCode = compare()

async function playAll(): Promise<Cell[]> {
  const jobs = cases.flatMap((about) =>
    frameworks.flatMap(({ id }) =>
      [false, true].map((withBanksman) => ({ about, framework: id, withBanksman })),
    ),
  )
  const played: Cell[] = []
  let next = 0
  const work = async () => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) {
      const { about, framework, withBanksman } = job
      const wrongs = await play(about, framework, withBanksman)
      played.push({ framework, withBanksman, case: about.name, wrongs })
      const mechanism = withBanksman ? 'with Banksman' : 'its own'
      console.error(
        `${about.name}, ${framework}, ${mechanism}: ${wrongs.length === 0 ? 'right' : wrongs.join(', ')}`,
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return played
}

async function play(about: TortureCase, framework: string, withBanksman: boolean): Promise<Wrong[]> {
  const stage = openStage(framework, withBanksman, about)
  try {
    return await about.play(stage)
  } finally {
    if (values.explain === true) console.error(stage.log.join('\n'), JSON.stringify(stage.measure()))
    stage.close()
  }
}

function versionOf(name: string): string {
  const file = join(import.meta.dirname, 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function compare(): number {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  const held = page.slice(from, to).trim()
  if (values.write === true) {
    writeFileSync(PAGE, `${page.slice(0, from)}\n\n${table}\n\n${page.slice(to)}`)
    console.log('\nwrote docs/torture.md')
    return 0
  }
  const unsaid = CASES.filter(({ words }) => !page.includes(words))
  if (unsaid.length > 0) {
    console.error(`\ndocs/torture.md doesn't describe: ${unsaid.map(({ name }) => name).join(', ')}`)
    return 1
  }
  if (held === table) {
    console.log('\ndocs/torture.md says the same')
    return 0
  }
  const before = new Set(held.split('\n'))
  const changed = table.split('\n').filter((line) => !before.has(line))
  console.error(`\ndocs/torture.md says something else; these lines are new:\n${changed.join('\n')}`)
  return 1
}

/**
 * How much the starter policy asks, and what it lets through. It is given folders of pages that others keep:
 *
 *   npm run bench:starter -- --tldr <folder> --gtfobins <folder> [--verbose]
 *
 * - GTFOBins lists ways from a harmless-looking program to a shell, a write, a read elsewhere or an upload. Each code
 *   block is judged as a whole, and its first line that calls the page's own program by itself: some blocks are a
 *   command and then the keys that are typed into it. Paths are judged as they stand, which is outside of the
 *   workspace, and as if they were in it. A read of a file in the workspace is no attack, and not counted as one.
 *   None may be allowed.
 * - tldr pages show how programs are ordinarily used. Which examples only read is told from their own words, never from
 *   our verdict: see `bench/policy/tldr.ts`. At most 15 % of them may be asked about.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import { lexicalFacts } from '../../src/policy/subject/lexical-facts.ts'
import { attacksIn } from './gtfobins.ts'
import { examplesOf, type ReadingExample } from './tldr.ts'

const HOME = '/home/someone'
const WORKSPACE = `${HOME}/project`
const MOST_ASKED = 0.15

const { values: options } = parseArgs({
  options: {
    tldr: { type: 'string' },
    gtfobins: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
if (options.tldr === undefined && options.gtfobins === undefined) {
  console.error(
    'Give at least one folder of pages: npm run bench:starter -- --tldr <folder> --gtfobins <folder>',
  )
  process.exit(2)
}

const policy = compilePolicy({ extends: 'banksman:starter' }, { roots: [WORKSPACE], home: HOME })
let isWell = true
if (options.gtfobins !== undefined) isWell = reportAttacks(options.gtfobins) && isWell
if (options.tldr !== undefined) isWell = reportExamples(options.tldr) && isWell
process.exit(isWell ? 0 : 1)

function judge(command: string): { kind: string; because: string } {
  const call = { tool: 'Bash', arguments: { command }, cwd: WORKSPACE }
  return policy.evaluate(call, lexicalFacts(policy, call, { home: HOME, at: 0 }))
}

function reportAttacks(folder: string): boolean {
  const pages = filesIn(folder)
  const attacks = attacksIn(pages)
  if (attacks.length === 0) return complain(folder, 'GTFOBins')
  const allowed = attacks.filter(({ code }) => judge(code).kind === 'allow')
  const denied = attacks.filter(({ code }) => judge(code).kind === 'deny')
  console.log(`GTFOBins: ${pages.length} programs, ${attacks.length} lines and blocks`)
  console.log(
    `  allowed: ${allowed.length}   denied: ${denied.length}   asked: ${attacks.length - allowed.length - denied.length}`,
  )
  for (const { program, use, code } of allowed) console.log(`  ALLOWED  ${program} (${use}): ${code}`)
  return allowed.length === 0
}

function reportExamples(folder: string): boolean {
  const pages = filesIn(folder).flatMap(({ name, text }) => (name.endsWith('.md') ? [text] : []))
  const examples = examplesOf(pages)
  const reading = examples.filter((example): example is ReadingExample => example.kind === 'reading')
  if (reading.length === 0) return complain(folder, 'tldr')
  const judged = reading.map((example) => ({
    ...example,
    asked: example.variants.map(judge).find(({ kind }) => kind !== 'allow'),
  }))
  const asked = judged.filter((example) => example.asked !== undefined)
  console.log(`tldr: ${examples.length} examples, ${reading.length} of them only read`)
  for (const [reason, count] of counted(examples.flatMap((e) => (e.kind === 'left out' ? [e.reason] : [])))) {
    console.log(`  not counted, ${reason}: ${count}`)
  }
  const share = asked.length / reading.length
  console.log(`  asked: ${asked.length} (${(share * 100).toFixed(1)} %, at most ${MOST_ASKED * 100} %)`)
  if (options.verbose) {
    for (const one of asked)
      console.log(`  asked  ${one.variants[0]}\n         ${one.says}\n         ${one.asked?.because}`)
    for (const [program, count] of counted(asked.map(({ program }) => program)))
      console.log(`  ${count}  ${program}`)
  }
  return share <= MOST_ASKED
}

/** A folder without such pages must not pass for one in which all is well. */
function complain(folder: string, kind: string): false {
  console.error(`There are no ${kind} pages in ${folder}`)
  return false
}

function filesIn(folder: string): { name: string; text: string }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])
}

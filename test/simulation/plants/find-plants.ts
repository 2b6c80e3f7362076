/** Puts each planted bug into a copy of the source, and runs the simulator of the copy until it finds something. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../architecture/source-files.ts'
import { PLANTS, type Plant } from './plants.ts'

export interface FoundPlant {
  name: string
  /** Absent: no promise was broken in any of the seeds. */
  broken?: { seed: number; promise: string; words: string }
}

export interface PlantSearch {
  /** At most this many, from the first on. */
  seeds: number
  plants?: readonly Plant[]
  report?: (line: string) => void
}

/** As many as the smallest supported machine has cores. */
const TOGETHER = 2
const MOST_MS = 10 * 60_000

export async function findPlants({ seeds, plants = PLANTS, report }: PlantSearch): Promise<FoundPlant[]> {
  const found: FoundPlant[] = []
  const waiting = [...plants]
  const takeOne = async (): Promise<void> => {
    const copy = copySource()
    try {
      for (let plant = waiting.shift(); plant !== undefined; plant = waiting.shift()) {
        const one = await findPlant(copy, plant, seeds)
        found.push(one)
        const { broken } = one
        const words =
          broken === undefined ? 'NOT FOUND' : `seed ${broken.seed}, ${broken.promise}: ${broken.words}`
        report?.(`${plant.name}: ${words}`)
      }
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, takeOne))
  return found
}

function copySource(): string {
  const copy = mkdtempSync(join(tmpdir(), 'banksman-planted-'))
  for (const part of ['src', 'test/simulation', 'scripts/simulate.ts', 'package.json']) {
    cpSync(join(ROOT, part), join(copy, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir')
  return copy
}

/** The copy is as before afterwards, for the next bug. */
async function findPlant(copy: string, plant: Plant, seeds: number): Promise<FoundPlant> {
  const file = join(copy, plant.file)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, plantInto(text, plant))
  try {
    return { name: plant.name, ...(await runCopy(copy, seeds)) }
  } finally {
    writeFileSync(file, text)
  }
}

/** The bug must have exactly one place: a plant that went nowhere would prove nothing. */
export function plantInto(text: string, { name, file, find, replace }: Plant): string {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(
      `the planted bug "${name}" looks for this in ${file}, and it is there ${parts.length - 1} times instead of once:\n${find}\nWrite in test/simulation/plants/plants.ts what stands there now.`,
    )
  return parts.join(replace)
}

function runCopy(copy: string, seeds: number): Promise<Pick<FoundPlant, 'broken'>> {
  const options = ['--seeds', String(seeds), '--workers', '1', '--json']
  return new Promise((resolve, reject) => {
    const script = join(copy, 'scripts', 'simulate.ts')
    execFile(process.execPath, [script, ...options], { timeout: MOST_MS }, (error, stdout, stderr) => {
      const line = stdout.trim().split('\n').at(-1) ?? ''
      if (!line.startsWith('{'))
        reject(new Error(`the simulator of the copy failed: ${stderr || error?.message}`))
      else resolve(JSON.parse(line) as Pick<FoundPlant, 'broken'>)
    })
  })
}

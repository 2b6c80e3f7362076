/** 100,000 pending requests: what each costs in heap, and how soon a killed process accepts its first answer again. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { benchFolder } from '../bench-gateway.ts'
import { type Figure, figure } from '../measure.ts'

const PENDING = 100_000

export async function benchPending(rounds: number): Promise<Figure[]> {
  const heap: number[] = []
  const restart: number[] = []
  const folder = benchFolder()
  try {
    const filled = await child(['fill', folder, String(PENDING)])
    heap.push(filled.heapBytesEach!)
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      const answered = await child(['answer', folder, '0'])
      restart.push(answered.answeredAt! - startedAt)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    figure(`heap for each of ${PENDING.toLocaleString('en')} pending (target at most 1200)`, 'B', heap),
    figure('from start of a process to its first accepted answer (target at most 1000)', 'ms', restart),
  ]
}

interface Message {
  heapBytesEach?: number
  answeredAt?: number
}

/** Runs a step in a process of its own, which is killed with -9 as soon as it has said what it found. */
function child(parameters: string[]): Promise<Message> {
  return new Promise((resolve, reject) => {
    const program = spawn(
      process.execPath,
      ['--expose-gc', join(import.meta.dirname, 'pending-child.ts'), ...parameters],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let message: Message | undefined
    createInterface({ input: program.stdout }).on('line', (line) => {
      message = JSON.parse(line) as Message
      if (message.answeredAt !== undefined) message.answeredAt = performance.now()
      program.kill('SIGKILL')
    })
    program.on('close', () =>
      message === undefined ? reject(new Error('the child said nothing')) : resolve(message),
    )
  })
}

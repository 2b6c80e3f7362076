/** How figures are printed. */
import { availableParallelism, cpus } from 'node:os'
import type { Figure } from './measure.ts'

export const machine = { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model }

export function printFigures(name: string, figures: readonly Figure[]): void {
  console.log(`\n${name}`)
  for (const each of figures) {
    const value = (n: number) =>
      each.unit === 'x' || n < 100 ? n.toFixed(2) : Math.round(n).toLocaleString('en')
    console.log(
      `  ${each.name.padEnd(82)} ${value(each.median).padStart(9)} ${each.unit.padEnd(2)} [${value(each.min)} … ${value(each.max)}]`,
    )
  }
}

export function printMachine(rounds: number): void {
  console.log(
    `\n${machine.node}, ${machine.cores} × ${machine.cpu}; median [lowest … highest] of ${rounds} rounds`,
  )
}

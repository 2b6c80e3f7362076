/** The log of a running server: lines on standard error, with the time where no terminal shows them, and no secrets. */
import { withoutSecrets } from './failures.ts'
import { rendered } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

export type Log = (line: string) => void

export function createLog({ note, paint }: Pick<Terminal, 'note' | 'paint'>): Log {
  const stamp = () => (process.stderr.isTTY ? '' : `${new Date().toISOString()} `)
  return (line) =>
    note(paint('dim', `${stamp()}banksman: ${rendered(withoutSecrets(line)).replaceAll('\n', ' ')}`))
}

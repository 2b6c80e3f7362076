/** Where `banksman start` listens unless it is told otherwise. */
import type { Context } from '../command-line/command.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

export const DEFAULT_PORT = 4790

export function defaultServerAddress({ BANKSMAN_PORT }: Context['environment']): {
  host: string
  port: number
} {
  return { host: '127.0.0.1', port: portOf(BANKSMAN_PORT || String(DEFAULT_PORT)) }
}

export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65_535)
    throw usageError(`the port must be a number from 0 to 65535; found ${visible(JSON.stringify(text))}`)
  return port
}

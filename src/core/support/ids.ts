/**
 * Ids that sort by the time they were made: a store appends them at the end of its index instead of all over
 * it. They are names, not secrets: knowing one gives no right to anything.
 */
import type { Clock, Random } from '../time/clock.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export function createIds(clock: Clock, random: Random): (prefix: string) => string {
  let lastAt = 0
  let counter = 0
  return (prefix) => {
    // A clock that steps back must not make ids that sort before earlier ones of the same process.
    const at = Math.max(clock.now(), lastAt)
    counter = at === lastAt ? counter + 1 : 0
    lastAt = at
    return `${prefix}_${base32(at, 9)}${base32(counter & 0x7fff, 3)}${randomText(random, 12)}`
  }
}

function base32(value: number, length: number): string {
  let out = ''
  let rest = value
  for (let index = 0; index < length; index++) {
    out = ALPHABET[rest % 32]! + out
    rest = Math.floor(rest / 32)
  }
  return out
}

function randomText(random: Random, length: number): string {
  let out = ''
  for (const byte of random.bytes(length)) out += ALPHABET[byte & 31]!
  return out
}

/** The key under which a runner claims a call. It is the runner's own, and whoever knows it gets the same claim again. */
import { BanksmanError } from '../../core/errors.ts'
import type { Host } from '../host.ts'

const MAX_KEY = 256
const MAX_CAUSE = 256

export function checkKey(key: unknown): void {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY && key.isWellFormed()) return
  throw new BanksmanError(
    'invalid',
    `key must be a text of 1 to ${MAX_KEY} characters that the runner made up`,
  )
}

/** Why a call is given back, in a few words. */
export function checkCause(cause: unknown): void {
  if (typeof cause === 'string' && cause !== '' && cause.length <= MAX_CAUSE && cause.isWellFormed()) return
  throw new BanksmanError('invalid', `cause must be a text of 1 to ${MAX_CAUSE} characters`)
}

/** For a runner that has none. */
export function newRunnerKey({ random }: Pick<Host, 'random'>): string {
  return Buffer.from(random.bytes(16)).toString('hex')
}

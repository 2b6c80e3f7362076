/**
 * `Idempotency-Key`: the same key with the same body is the same submission, with another body it is a mistake.
 *
 * Only what belongs to which body is remembered here, for a day, and the oldest are forgotten when there are too many.
 * The submission itself is safe to repeat for ever without a key: the call id is unique in its session, and the same
 * call is given its own request again. So a forgotten key costs the caller one warning and never a second request.
 */
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonValue } from '../../core/json/json.ts'

export interface IdempotencyKeys {
  /** Runs the submission; a key that was used for another body is refused before. A failure does not use up the key. */
  run<T>(
    use: { subject: string; key: string | undefined; body: JsonValue },
    submit: () => Promise<T>,
  ): Promise<T>
}

const KEPT_MS = 24 * 60 * 60_000
const MAX_KEPT = 10_000
const KEY = /^[\x21-\x7e]{1,256}$/

export function createIdempotencyKeys(now: () => number = Date.now): IdempotencyKeys {
  const kept = new Map<string, { digest: string; at: number }>()

  function forgetOld(): void {
    for (const [name, { at }] of kept) {
      if (kept.size < MAX_KEPT && now() - at < KEPT_MS) return
      kept.delete(name)
    }
  }

  return {
    async run({ subject, key, body }, submit) {
      if (key === undefined) return submit()
      if (!KEY.test(key)) {
        throw new BanksmanError(
          'invalid',
          'Idempotency-Key must be 1 to 256 visible ASCII characters without spaces',
        )
      }
      forgetOld()
      const name = JSON.stringify([subject, key])
      const digest = digestOf(canonicalize(body))
      const known = kept.get(name)
      if (known !== undefined && known.digest !== digest) {
        throw new BanksmanError(
          'idempotency_conflict',
          'this Idempotency-Key was used with another body; a new submission needs a new key',
        )
      }
      if (known === undefined) kept.set(name, { digest, at: now() })
      try {
        return await submit()
      } catch (error) {
        if (known === undefined) kept.delete(name)
        throw error
      }
    },
  }
}

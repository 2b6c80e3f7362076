/**
 * What a call over the wire can end in. These are the server's own words, or say that no server could be heard;
 * they are another family than `BanksmanError`, which is thrown in the process that did the work.
 */
import type { ErrorCode } from '../../core/errors.ts'
import type { WireProblem } from '../../wire/types/answers.ts'

/**
 * - `unreachable`: nobody answered, or the answer broke off. What was sent may have arrived all the same;
 * - `unexpected_answer`: something answered, but not as Banksman does;
 * - the rest are the server's. A newer one may know codes that are not listed here.
 */
export type ClientErrorCode = ErrorCode | 'unreachable' | 'unexpected_answer' | (string & {})

export interface ClientErrorParts {
  code: ClientErrorCode
  detail: string
  status?: number
  problem?: WireProblem
  cause?: unknown
}

export class ClientError extends Error {
  readonly code: ClientErrorCode
  /** What was wrong and what would be right, for people. */
  readonly detail: string
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined
  /** The whole problem as the server sent it, with the members that belong to its code. */
  readonly problem: WireProblem | undefined

  constructor({ code, detail, status, problem, cause }: ClientErrorParts) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = 'ClientError'
    this.code = code
    this.detail = detail
    this.status = status
    this.problem = problem
  }
}

export function isClientError(value: unknown, code?: ClientErrorCode): value is ClientError {
  return value instanceof ClientError && (code === undefined || value.code === code)
}

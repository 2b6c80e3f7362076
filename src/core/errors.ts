/**
 * The one error family of the library. The set of codes is closed and public: programs branch on `code`, people
 * read `message`, which names what was wrong and what would be right.
 */

/** Every code, with the HTTP status that `http/` gives it. */
export const ERROR_STATUS = {
  // what was sent is not what it should be
  invalid: 400,
  invalid_json: 400,
  invalid_call: 422,
  invalid_decision: 422,
  invalid_resume: 400,
  invalid_policy: 422,
  invalid_configuration: 422,
  not_canonical: 422,
  arguments_invalid: 422,
  too_large: 413,
  wrong_media_type: 415,
  unknown_route: 404,
  method_not_allowed: 405,
  // who sent it, and from where
  unauthenticated: 401,
  wrong_host: 421,
  foreign_origin: 403,
  forbidden: 403,
  not_yours: 403,
  unlinked_account: 403,
  approve_elsewhere: 403,
  unknown_id: 404,
  // it does not fit what is on record
  call_conflict: 409,
  idempotency_conflict: 409,
  already_decided: 409,
  stale_action: 409,
  already_running: 409,
  not_pending: 409,
  expired: 409,
  digest_mismatch: 409,
  uncover_first: 409,
  not_approved: 409,
  already_claimed: 409,
  already_reported: 409,
  not_running: 409,
  lease_lapsed: 409,
  cancelled: 409,
  facts_changed: 409,
  session_ended: 409,
  scope_not_allowed: 422,
  decision_not_allowed: 422,
  edit_denied: 403,
  disallowed: 403,
  too_many_pending: 429,
  too_many_connections: 429,
  rate_limited: 429,
  // what holds us up
  store_unavailable: 503,
  store_full: 503,
  store_locked: 503,
  store_corrupt: 500,
  store_older: 500,
  schema_newer: 500,
  closed: 503,
  untrusted_configuration: 409,
  address_in_use: 500,
  data_folder_in_use: 500,
  data_folder_refused: 500,
  missing_dependency: 500,
  unsupported_runtime: 500,
  internal: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** The same in every copy of the package: a program may have two, each with a class of its own. */
const BRAND = Symbol.for('banksman.error')

export class BanksmanError extends Error {
  readonly code: ErrorCode
  /** Facts a program may want: the recorded decision, a line and column, the allowed values. Plain JSON. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'BanksmanError'
    this.code = code
    this.details = details
    Object.defineProperty(this, BRAND, { value: true })
  }
}

/** Also for an error of another copy of the package. */
export function isBanksmanError(value: unknown, code?: ErrorCode): value is BanksmanError {
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false
  return code === undefined || (value as unknown as BanksmanError).code === code
}

/** What anything that was thrown says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

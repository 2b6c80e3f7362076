/**
 * What went wrong at a model's server, in words that say what to mend, and whether to ask again. No key is ever in it: servers
 * repeat what they were sent.
 */
import { isBanksmanError } from '../../../core/errors.ts'
import { ModelFault } from '../model.ts'

export interface FaultContext {
  name: string
  provider: string
  model: string
  baseUrl: string
  apiKeyEnv: string | undefined
  secrets: readonly string[]
  now: () => number
}

/** As much of the libraries' errors as is looked at. */
interface ProviderError {
  message?: unknown
  name?: unknown
  statusCode?: unknown
  isRetryable?: unknown
  responseHeaders?: Record<string, string | undefined>
  responseBody?: unknown
  cause?: unknown
  code?: unknown
  type?: unknown
}

/** A missing library is told as it is. */
export function providerFault(error: unknown, about: FaultContext): Error {
  if (isBanksmanError(error)) return error
  const found = (typeof error === 'object' && error !== null ? error : { message: error }) as ProviderError
  const said = shortened(withoutSecrets(messageOf(found), about.secrets))
  if (error instanceof ModelFault)
    return new ModelFault(`${about.name}: ${said}`, {
      mayRetry: error.mayRetry,
      ...retryAfterOf(error.retryAfterMs),
    })
  const bad = badAddress(error)
  if (bad !== undefined)
    return new ModelFault(`${about.name}: baseUrl (${about.baseUrl}) can't be used: ${bad}`, {
      mayRetry: false,
    })
  const status = typeof found.statusCode === 'number' ? found.statusCode : undefined
  const isNetwork = status === undefined || status < 300 ? networkCode(error) : undefined
  const mayRetry = mayRetryAfter(found, status) || isNetwork !== undefined
  const retryAfterMs = mayRetry ? readRetryAfter(found.responseHeaders, about.now) : undefined
  const words =
    isNetwork !== undefined
      ? `the connection to ${originOf(about.baseUrl)} failed (${isNetwork}): ${said}`
      : wordsFor(status, said, found, about)
  return new ModelFault(`${about.name}: ${words}`, { mayRetry, ...retryAfterOf(retryAfterMs) })
}

function wordsFor(
  status: number | undefined,
  said: string,
  found: ProviderError,
  about: FaultContext,
): string {
  if (status === undefined || status < 300) {
    return isUnreadable(found)
      ? `the server's answer is not what this provider sends; check baseUrl (${about.baseUrl}) and provider (${about.provider}): ${said}`
      : said
  }
  const answered = `the server answered ${status}: ${said}`
  const key = about.apiKeyEnv ?? 'the key'
  if (status < 400) {
    const to = found.responseHeaders?.location
    return `the server at ${about.baseUrl} sends on${to === undefined ? '' : ` to ${withoutSecrets(to, about.secrets)}`}; set baseUrl to where it really is`
  }
  switch (status) {
    case 401:
      return `${answered}; check ${key}`
    case 403:
      return `${answered}; check that ${key} may use the model ${about.model}`
    case 404:
      return `${answered}; check model (${about.model}) and baseUrl (${about.baseUrl})`
    default:
      return answered
  }
}

function messageOf({ message, cause }: ProviderError): string {
  const words = typeof message === 'string' && message !== '' ? message : 'no reason was given'
  const inner = (cause as ProviderError | undefined)?.message
  return typeof inner === 'string' && inner !== '' && !words.includes(inner) ? `${words}: ${inner}` : words
}

const BUSY_TYPES = new Set([
  'overloaded_error',
  'rate_limit_error',
  'api_error',
  'timeout_error',
  'server_error',
])

function mayRetryAfter(found: ProviderError, status: number | undefined): boolean {
  // A quota that is used up is not there again in a minute, whatever the status says.
  if (typeof found.responseBody === 'string' && found.responseBody.includes('insufficient_quota'))
    return false
  if (status !== undefined && status >= 300)
    return status === 408 || status === 409 || status === 429 || status >= 500
  if (isUnreadable(found)) return messageOf(found).includes('without a finish reason')
  return found.isRetryable === true || (typeof found.type === 'string' && BUSY_TYPES.has(found.type))
}

/** The answer is not of the shape that this provider's answers have. */
function isUnreadable({ name, message }: ProviderError): boolean {
  return (
    (typeof name === 'string' &&
      /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)/.test(name)) ||
    (typeof message === 'string' && message.startsWith('Expected a normalized'))
  )
}

/**
 * Why no server can be at such an address, now or later: nothing was sent. The library's own words may have the whole
 * address in them, with what is secret in it.
 */
function badAddress(error: unknown): string | undefined {
  for (const { message, code } of causesOf(error)) {
    if (message === 'bad port') return 'that port is for another protocol (bad port)'
    if (/^unknown scheme$|scheme is not supported$|^not implemented\.\.\. yet/.test(message))
      return 'it must begin with http: or https:'
    if (code === 'ERR_INVALID_URL') return 'it is no URL'
    if (message.includes('URL that includes credentials'))
      return 'it has a name or a password in it; give them as a header'
  }
  return undefined
}

/** The system's or the HTTP library's code, wherever it is in the chain of causes. */
function networkCode(error: unknown): string | undefined {
  for (const each of causesOf(error)) {
    const { code } = each
    if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code)) return code
    if (each instanceof TypeError && each.message === 'terminated') return 'terminated'
  }
  return undefined
}

/** The error itself first. */
function causesOf(error: unknown): (Error & { code?: unknown })[] {
  const causes: Error[] = []
  for (let current = error; causes.length < 8 && current instanceof Error; current = current.cause)
    causes.push(current)
  return causes
}

function readRetryAfter(headers: ProviderError['responseHeaders'], now: () => number): number | undefined {
  const exact = Number.parseFloat(headers?.['retry-after-ms'] ?? '')
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const value = headers?.['retry-after']
  if (value === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now())
}

function retryAfterOf(retryAfterMs: number | undefined): { retryAfterMs?: number } {
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500).toWellFormed()}…` : text
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  // Shorter ones would be found in words that are none.
  return secrets
    .filter(({ length }) => length >= 8)
    .reduce((clean, secret) => clean.replaceAll(secret, '…'), text)
}

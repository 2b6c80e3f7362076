/**
 * The values of `format` that are checked. They are written out here, and not taken from the library that checks what comes
 * in from outside: that library takes longer to load than all of the gateway.
 *
 * Each takes time in proportion to the text, whatever the text is.
 */

/** What has no entry here is a remark, as JSON Schema has it. */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date-time', isDateTime],
  ['date', isDate],
  ['duration', isDuration],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', (text) => URL.canParse(text.trim())],
  ['uuid', (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
])

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const isLeapYear = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
  const days = month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0)
  return day >= 1 && day <= days
}

const HOURS_AND_MINUTES = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const TIME = new RegExp(`^${HOURS_AND_MINUTES}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${HOURS_AND_MINUTES})$`)

/** As RFC 3339 has it, with a zone; but `T` and `Z` are capitals. */
function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && text[10] === 'T' && TIME.test(text.slice(11))
}

function isDuration(text: string): boolean {
  if (/^P\d+W$/.test(text)) return true
  const [, days, time] = /^P((?:\d+Y)?(?:\d+M)?(?:\d+D)?)(T.*)?$/.exec(text) ?? []
  if (days === undefined || (days === '' && time === undefined)) return false
  return time === undefined || (time !== 'T' && /^T(?:\d+H)?(?:\d+M)?(?:\d+(?:[.,]\d+)?S)?$/.test(time))
}

/** The addresses that people have, not all that a mail server could be made to take. */
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  const labels = text.slice(at + 1).split('.')
  const [name, top] = [text.slice(0, at), labels.pop() ?? '']
  return (
    at > 0 &&
    name.split('.').every((part) => /^[\w'+-]+$/.test(part)) &&
    !name.endsWith("'") &&
    labels.length > 0 &&
    labels.every((label) => /^[A-Za-z\d][A-Za-z\d-]*$/.test(label)) &&
    /^[A-Za-z]{2,}$/.test(top)
  )
}

function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  if (name.length < 1 || name.length > 253) return false
  return name.split('.').every((label) => /^[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/.test(label))
}

function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

function isIpv6(text: string): boolean {
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`)
}

/** Whom a call of a mail tool writes to, and about what. Everybody who would get it is named: a blind copy is a recipient too (P9). */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { childPointer } from '../masks/json-pointer.ts'
import type { Mask } from '../masks/mask.ts'

export interface MailParts {
  recipients: readonly string[]
  subject?: string
}

const RECIPIENTS = ['to', 'cc', 'bcc'] as const
const ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/

/** Undefined where the arguments aren't plainly those of a mail: then it is shown like any other call. */
export function mailPartsOf(args: JsonObject, maskAt: ReadonlyMap<string, Mask>): MailParts | undefined {
  const masked = [...maskAt.keys()]
  const isMasked = (name: string) =>
    masked.some((each) => `${each}/`.startsWith(`${childPointer('', name)}/`))
  const recipients: string[] = []
  for (const name of RECIPIENTS) {
    const found = Object.hasOwn(args, name) ? addressesIn(args[name]!) : []
    if (found === undefined || isMasked(name)) return undefined
    if (name === 'to' && found.length === 0) return undefined
    recipients.push(...found)
  }
  const subject = Object.hasOwn(args, 'subject') && !isMasked('subject') ? args.subject : undefined
  return { recipients, ...(typeof subject === 'string' ? { subject } : {}) }
}

function addressesIn(value: JsonValue): string[] | undefined {
  const list = Array.isArray(value) ? value : [value]
  const addresses = list.filter((each): each is string => typeof each === 'string' && ADDRESS.test(each))
  return addresses.length === list.length ? addresses : undefined
}

const ORDER = [...RECIPIENTS, 'subject', 'body', 'text', 'html', 'content', 'message']

/** The arguments of a mail as people read one: to, cc, bcc, subject, then what it says. Others stay as they are. */
export function inMailOrder(entries: [string, JsonValue][]): [string, JsonValue][] {
  const names = new Set(entries.map(([name]) => name))
  if (!names.has('to') || !['cc', 'bcc', 'subject'].some((name) => names.has(name))) return entries
  const place = ([name]: [string, JsonValue]) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return entries.toSorted((one, other) => place(one) - place(other))
}

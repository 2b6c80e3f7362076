/**
 * What somebody wants of the demonstration agent. It has no model: it looks for words that it knows, and takes the place, the person,
 * the sum or the file from what was said. What it doesn't understand it says so.
 */
import { commandIn, fileIn, placesIn, recipientIn, type Sum, sumIn, textIn } from './read-details.ts'

export type Wish =
  | { kind: 'tour' }
  | { kind: 'weather'; places: string[] }
  | { kind: 'mail'; to: string; text: string | undefined }
  | ({ kind: 'pay'; to: string } & Sum)
  | { kind: 'plan' }
  | { kind: 'write'; path: string; text: string | undefined }
  | { kind: 'read'; path: string }
  | { kind: 'delete'; path: string }
  | { kind: 'list' }
  | { kind: 'run'; command: string }
  | { kind: 'drop'; database: string }
  /** What it could do, if it were told the rest. */
  | { kind: 'incomplete'; of: 'weather' | 'mail' | 'pay' | 'run' }
  | { kind: 'unknown' }

/** More than that nobody says to a script. */
const MAX_READ = 2000
const MAX_PLACE_WORDS = 60

/** @param before What was wanted before it, for words such as "and in Bergen?". */
export function readWish(said: string, before?: Wish): Wish {
  const text = said.slice(0, MAX_READ)
  for (const read of READERS) {
    const wish = read(text)
    if (wish !== undefined) return wish
  }
  return readAnotherPlace(text, before) ?? { kind: 'unknown' }
}

/** After a question about the weather: "and in Bergen?"; or only "Bergen", where it was not said which place. */
function readAnotherPlace(text: string, before: Wish | undefined): Wish | undefined {
  if (before?.kind !== 'weather' || text.length > MAX_PLACE_WORDS) return undefined
  const lead = /^\s*(?:(?:and|what about|how about)\b(?:\s+in\b)?|in\b)|^那|呢[?？]?\s*$/i
  if (!lead.test(text) && before.places.length > 0) return undefined
  const isChinese = /\p{Script=Han}/u.test(text)
  const places = placesIn(isChinese ? text : `in ${text.replace(lead, '')}`)
  return places.length === 0 ? undefined : { kind: 'weather', places }
}

type WishReader = (text: string) => Wish | undefined

/** The first that understands it. What has a clear mark, such as a command in backticks, comes before loose words. */
const READERS: readonly WishReader[] = [
  (text) =>
    /show me what happens|\bdemo(?:nstration)?\b|\btour\b|演示/i.test(text) ? { kind: 'tour' } : undefined,
  (text) => (/`[^`]+`/.test(text) && /\b(?:run|execute)\b|运行|执行/i.test(text) ? readRun(text) : undefined),
  readDrop,
  readPayment,
  readMail,
  readWeather,
  readFileWish,
  (text) => (/\bplan\b|计划/i.test(text) ? { kind: 'plan' } : undefined),
  (text) => (/\b(?:run|execute)\b|运行|执行/i.test(text) ? readRun(text) : undefined),
  (text) =>
    /\b(?:list|what|which|show)\b.*\b(?:files?|folder|directory)\b|\blook around\b|列出|哪些文件/i.test(text)
      ? { kind: 'list' }
      : undefined,
  (text) => (/^\s*show me\W*$/i.test(text) ? { kind: 'tour' } : undefined),
]

function readDrop(text: string): Wish | undefined {
  if (
    !/\b(?:drop|wipe|destroy)\b|删库/i.test(text) ||
    !/\b(?:database|production|table)\b|数据库|删库/i.test(text)
  )
    return undefined
  const named =
    /\b(?:database|table)\s+(?:called\s+|named\s+)?([A-Za-z_]\w{1,60})|(\w{2,60})\s+(?:production\s+)?(?:database|table)\b/i.exec(
      text,
    )
  const database = [named?.[1], named?.[2]].find(
    (name) => name !== undefined && !/^(?:the|a|our|my|production|in|is)$/i.test(name),
  )
  return { kind: 'drop', database: database ?? 'customers' }
}

function readPayment(text: string): Wish | undefined {
  if (
    !/\b(?:pay|transfer|send|wire|refund)\b|转账|转给|付款|支付|付给|打款|汇款|[给向].{1,20}[转付]/i.test(
      text,
    )
  )
    return undefined
  const sum = sumIn(text)
  if (sum === undefined)
    return /\b(?:pay|transfer|refund)\b|转账|付款|支付/i.test(text)
      ? { kind: 'incomplete', of: 'pay' }
      : undefined
  const to = recipientIn(text)
  return to === undefined ? { kind: 'incomplete', of: 'pay' } : { kind: 'pay', to, ...sum }
}

function readMail(text: string): Wish | undefined {
  const isMail =
    /\b(?:e-?mail|mail)\b|邮件/i.test(text) || (/\b(?:send|write)\b|发/i.test(text) && /\w@\w/.test(text))
  if (!isMail) return undefined
  const to = recipientIn(text)
  return to === undefined ? { kind: 'incomplete', of: 'mail' } : { kind: 'mail', to, text: textIn(text) }
}

function readWeather(text: string): Wish | undefined {
  if (!/\b(?:weather|forecast|temperature|rain(?:ing)?|snow(?:ing)?)\b|天气|气温|下雨|下雪/i.test(text))
    return undefined
  const places = placesIn(text)
  return places.length === 0 ? { kind: 'incomplete', of: 'weather' } : { kind: 'weather', places }
}

function readFileWish(text: string): Wish | undefined {
  const path = fileIn(text)
  if (path === undefined) return undefined
  if (/\b(?:delete|remove|rm)\b|删除|删掉/i.test(text)) return { kind: 'delete', path }
  if (/\b(?:write|create|make|save|put|add)\b|写|创建|新建|保存/i.test(text))
    return { kind: 'write', path, text: textIn(text) }
  if (/\b(?:read|open|show|print|cat)\b|what(?:'s| is) in|读|打开|查看|看/i.test(text))
    return { kind: 'read', path }
  return undefined
}

/** What to run is a program's name, in small letters and ASCII; "run something" is an invitation. */
function readRun(text: string): Wish {
  const command = commandIn(text)
  if (command === undefined) return { kind: 'incomplete', of: 'run' }
  if (/^(?:something|anything|a command|some command)\b|^(?:点什么|一?个命令)/i.test(command))
    return { kind: 'run', command: 'uname -sr' }
  const isProgram =
    /^[\w./-]/.test(command) && !/^(?:the|a|an|my|your|our|all|it|this|that|some|again)\b/i.test(command)
  return isProgram ? { kind: 'run', command } : { kind: 'incomplete', of: 'run' }
}

/**
 * Why the policy said what it said, in the reader's language. The record is in English and stays so; a sentence of ours is
 * said in Chinese as it goes out. What others wrote stands as they wrote it: the names of rules and tools, what is quoted
 * from a call, and the reasons in a policy. A sentence that is not one of ours, whole, is left alone.
 *
 * The sentences are those of `policy/judge/verdict-of.ts`, `policy/judge/tool-names.ts`, `policy/built-in-denies/`,
 * `gateway/grants/grant-sentence.ts`; a test has each of them made and looks that it is known here.
 */
import {
  BUILT_IN,
  COMMAND_SENTENCES,
  COMMANDS,
  DESTRUCTION,
  DOUBTS,
  MISPLACED,
  MODE_SENTENCES,
  OWN_SENTENCES,
  REACH,
  READ_BELOW,
  type Sentence,
  STRANGE,
  UNKNOWN,
} from './because-words.ts'
import { sayGrantWords } from './grant-words.ts'
import type { Locale } from './rendering-words.ts'
import { STEERING_WHY, steeringGroups } from './steering-words.ts'

export interface Because {
  because: string
  tool: string
  /** The rule that decided, or the first of those that ask. */
  rule?: string | undefined
}

export function sayBecause({ because, tool, rule }: Because, locale: Locale): string {
  if (locale === 'en') return because
  // What is built in says its rule beside the sentence, all others in brackets at its end.
  const at = rule === undefined ? -1 : because.lastIndexOf(` (${rule}`)
  if (at === -1 || !because.endsWith(')')) return wholeSentence(because, tool) ?? because
  const words = verdictWords(because.slice(0, at), tool, rule?.startsWith('starter: ') === true)
  if (words === undefined) return because
  return words + sayRules(because.slice(at + 2, -1), locale)
}

/** The rules behind a reason. */
export function sayRules(rules: string, locale: Locale): string {
  return locale === 'en' ? ` (${rules})` : `（${rules.replace(/ and (\d+) more$/, ' 等另外 $1 条')}）`
}

/** What a shell line can't be vouched for, by the kind of the doubt. */
export function sayDoubt(
  { kind, text, because }: { kind: string; text: string; because: string },
  locale: Locale,
): string {
  const words = locale === 'en' ? undefined : DOUBTS.find((doubt) => doubt.kind === kind)?.chinese
  if (words === undefined) return because
  return text === '' ? words : `\`${text}\`：${words}`
}

/** What became of one command of a line, and why. */
export function sayCommandBecause(
  {
    because,
    doubts,
  }: { because: string; doubts: readonly { kind: string; text: string; because: string }[] },
  locale: Locale,
): string {
  if (locale === 'en') return because
  const doubt = doubts.find((one) => one.because === because)
  if (doubt !== undefined) return sayDoubt(doubt, locale)
  return (
    COMMANDS.get(because) ??
    DESTRUCTION.get(because) ??
    fitted(because, COMMAND_SENTENCES) ??
    fitted(because, STRANGE) ??
    fitted(because, REACH) ??
    because
  )
}

function fitted(text: string, sentences: readonly Sentence[]): string | undefined {
  for (const [english, chinese] of sentences) {
    const found = english.exec(text)
    if (found !== null) return chinese(...found.slice(1).map((part) => part ?? ''))
  }
  return undefined
}

function verdictWords(words: string, tool: string, isStarter: boolean): string | undefined {
  const subject = (text: string) => whatIn(text, tool)
  const end = (suffix: string) => (words.endsWith(suffix) ? words.slice(0, -suffix.length) : undefined)

  const below = words.split('; ').map((reason) => fitted(reason, READ_BELOW))
  if (below.every((reason) => reason !== undefined)) return `${below.join('；')}，因此请人决定`
  const steering = steeringWords(words)
  if (steering !== undefined) return steering
  const [, whom, reached] = ASKED_TO_REACH.exec(words) ?? []
  const asked = whom === undefined ? undefined : subject(whom)
  const reach = reached === undefined ? '' : fitted(reached, REACH)
  if (asked !== undefined && reach !== undefined)
    return `${before(asked)}需要由人决定${reach === '' ? '' : `：${reach}`}`
  const unnamed = unmatched(end(', so a person is asked'), tool)
  if (unnamed !== undefined) return `${unnamed}，因此请人决定`
  for (const [english, chinese] of MODE_SENTENCES) {
    const start = end(`, and ${english}`)
    const why =
      start === onlyAsked(tool) ? `有名单要求询问 ${tool}，但没有名单允许它` : unmatched(start, tool)
    if (why !== undefined) return `${why}，而${chinese}`
  }
  if (words === `every part of ${tool} is allowed`) return `${tool} 的每一部分都已允许`
  const allowed = subject(end(' is allowed') ?? '')
  if (allowed !== undefined) return `${before(allowed)}已允许`
  if (words === tool + DEMONSTRATION) return `${tool} 不在可自行运行的工具之列，因此请人决定`
  const maybe = /^whether a rule is about (.+) can't be told beforehand, so a person is asked: (.+)$/su.exec(
    words,
  )
  const about = maybe === null ? undefined : subject(maybe[1]!)
  const unknown =
    maybe === null ? undefined : (doubtWords(maybe[2]!) ?? UNKNOWN.get(maybe[2]!) ?? fitted(maybe[2]!, REACH))
  if (about !== undefined && unknown !== undefined)
    return `事先无法判断是否有规则涉及 ${about}，因此请人决定：${unknown}`
  return denied(words, tool, isStarter)
}

const ASKED_TO_REACH = /^a person is asked about (.+?)(?:: ((?:it|which|programs) .+))?$/su
/** The reason in the policy of the demonstration, which is ours too. */
const DEMONSTRATION = ' is not among the tools that may run by themselves, so a person is asked'

/** Of each file of the call that steers programs, why it needs a person. */
function steeringWords(words: string): string | undefined {
  if (!words.startsWith(NEEDS_APPROVAL)) return undefined
  const said = words.split(`; ${NEEDS_APPROVAL}`).map((sentence) => {
    const found = /^(`.+`) steers programs \(([^)]+)\): (.+)$/su.exec(sentence.replace(NEEDS_APPROVAL, ''))
    const why = found === null ? undefined : STEERING_WHY.get(found[3]!)
    return why === undefined ? undefined : `${found![1]} 会左右程序（${steeringGroups(found![2]!)}）：${why}`
  })
  return said.includes(undefined) ? undefined : `需要审批：${said.join('；')}`
}

const NEEDS_APPROVAL = 'needs approval: '

/** The reason after the colon is the policy's author's, but for what the starter policy says. */
function denied(words: string, tool: string, isStarter: boolean): string | undefined {
  const at = words.indexOf(' is denied')
  const what = whatIn(words.slice(0, at), tool)
  const rest = words.slice(at + ' is denied'.length)
  if (at === -1 || what === undefined || (rest !== '' && !rest.startsWith(': '))) return undefined
  const reason = rest.slice(2)
  if (reason === '') return `${before(what)}被拒绝`
  const known = isStarter ? DESTRUCTION.get(reason) : fitted(reason, REACH)
  return `${before(what)}被拒绝：${known ?? reason}`
}

function unmatched(words: string | undefined, tool: string): string | undefined {
  if (words === undefined) return undefined
  if (words.startsWith('no list names ')) {
    const what = whatIn(words.slice('no list names '.length), tool)
    return what === undefined ? undefined : `没有名单提到 ${what}`
  }
  for (const [english, chinese] of MISPLACED) {
    const what = words.endsWith(english) ? whatIn(words.slice(0, -english.length), tool) : undefined
    if (what !== undefined) return `${before(what)}${chinese}`
  }
  const writes = / writes a file that nothing allows to be written$/.exec(words)
  if (writes !== null) {
    const what = whatIn(words.slice(0, writes.index), tool)
    return what === undefined ? undefined : `${before(what)}要写入一个未获允许的文件`
  }
  const reveals = / may print passwords, keys or tokens$/.exec(words)
  if (reveals !== null) {
    const what = whatIn(words.slice(0, reveals.index), tool)
    return what === undefined ? undefined : `${before(what)}可能打印出密码、密钥或令牌`
  }
  const steered = / is no longer vouched for: (.+)$/su.exec(words)
  if (steered !== null) {
    const what = whatIn(words.slice(0, steered.index), tool)
    const why = fitted(steered[1]!, COMMAND_SENTENCES)
    return what === undefined || why === undefined
      ? undefined
      : `不再为${/^[\p{Script=Han}]/u.test(what) ? '' : ' '}${before(what)}担保：${why}`
  }
  const at = words.lastIndexOf(" can't be vouched for: ")
  const doubt = at === -1 ? undefined : doubtWords(words.slice(at + " can't be vouched for: ".length))
  const what = at === -1 ? undefined : whatIn(words.slice(0, at), tool)
  return what === undefined || doubt === undefined ? undefined : `${before(what)}无法担保：${doubt}`
}

/** The tool, or one part of the call. Anything else is not a sentence of ours about this tool. */
function whatIn(text: string, tool: string): string | undefined {
  if (text === tool) return tool
  if (text.endsWith(` in ${tool}`)) {
    const command = text.slice(0, -` in ${tool}`.length)
    if (!/^(?:a command|[\w.+-]{1,40})(?: [a-z][a-z-]{1,19})?$/.test(command)) return undefined
    const named = command.replace(/^a command/, '某条命令')
    return `${tool} 中的${named.startsWith('某') ? '' : ' '}${named}`
  }
  const part = text.startsWith(`${tool} of `) ? text.slice(`${tool} of `.length) : ''
  return /^[\w./~:-]{1,80}$/.test(part) ? `${tool}（${part}）` : undefined
}

/** What goes before Chinese words: Latin letters stand apart from them. */
function before(what: string): string {
  return /[\p{Script=Han}）]$/u.test(what) ? what : `${what} `
}

function onlyAsked(tool: string): string {
  return `a list asks about ${tool} and none allows it`
}

function doubtWords(english: string): string | undefined {
  return DOUBTS.find((doubt) => doubt.english === english)?.chinese ?? fitted(english, STRANGE)
}

function wholeSentence(because: string, tool: string): string | undefined {
  const granted = because.split('; ').map((sentence) => grantSentence(sentence, tool))
  if (granted.every((sentence) => sentence !== undefined)) return granted.join('；')
  const own = because.endsWith(OWN) ? fitted(because.slice(0, -OWN.length), OWN_SENTENCES) : undefined
  if (own !== undefined) return `${own}，那属于 Banksman 自身；任何名单、模式或许可都不能放行`
  return BUILT_IN.get(because)
}

const GRANT =
  /^(\S+) allowed (.+) (in every session|in this session|in session \S+ and what it starts)((?:, until [\d-]+ [\d:]+ UTC)?)((?:, for (?:one call|\d+ calls))?), on ([\d-]+ [\d:]+ UTC)$/su

function grantSentence(sentence: string, tool: string): string | undefined {
  const found = GRANT.exec(sentence)
  if (found === null) return undefined
  const [, by = '', what = '', where = '', until = '', count = '', on = ''] = found
  const session = /^in session (\S+) /.exec(where)?.[1]
  const place =
    session !== undefined
      ? `在会话 ${session} 及其启动的会话中`
      : where === 'in this session'
        ? '在本次会话中'
        : '在所有会话中'
  const words = what === 'exactly this call' ? '仅限此调用' : sayGrantWords(what, tool, 'zh')
  const bounds = [
    ...(until === '' ? [] : [`，有效期至 ${until.slice(', until '.length)}`]),
    ...(count === '' ? [] : [`，限 ${/\d+/.exec(count)?.[0] ?? '1'} 次`]),
  ]
  return `${by} 于 ${on} 批准：${words}，${place}${bounds.join('')}`
}

const OWN = ', which belongs to Banksman itself; no list, mode or grant lifts this'

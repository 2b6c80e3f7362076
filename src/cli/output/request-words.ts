/** What the command line says of a request, in English and Chinese. A translation that is missing does not compile. */
import type { WireMatched } from '../../client/index.ts'
import type { Locale } from '../../display/words/rendering-words.ts'

export interface CliRequestWords {
  because: string
  agent: string
  session: string
  submittedBy: string
  /** Before what the agent says of its own call. */
  agentSays: string
  approvers: string
  needed(quorum: number): string
  votes: string
  /** Of what was approved by several. */
  approvedBy: string
  /** Of what was not approved in the end. */
  hadApproved: string
  editedIt: string
  digest: string
  state: string
  decision: string
  reason: string
  outcome: string
  edited: string
  created: string
  expiresIn(span: string): string
  overdue: string
  ago(span: string): string
  cancelledBy(who: string, why: string): string
  comma: string
  decidedBy(who: string, what: string): string
  question(number: number, count: number): string
  choosesSeveral: string
  freeText: string
  suggestions: string
  /** What a grant would have matched. */
  matched(matched: WireMatched): string
  example: string
  span: { second: string; minute: string; hour: string; day: string }
}

const EN: CliRequestWords = {
  because: 'Why',
  agent: 'Agent',
  session: 'session',
  submittedBy: 'submitted by',
  agentSays: 'The agent says (unverified)',
  approvers: 'Who may approve',
  needed: (quorum) => (quorum === 1 ? 'one approval' : `${quorum} approvals`),
  votes: 'Approved so far by',
  approvedBy: 'Approved by',
  hadApproved: 'Had been approved by',
  editedIt: 'changed the arguments',
  digest: 'Digest',
  state: 'State',
  decision: 'Decision',
  reason: 'reason',
  outcome: 'Outcome',
  edited: 'Arguments changed by',
  created: 'Requested',
  expiresIn: (span) => `expires in ${span}`,
  overdue: 'expires now',
  ago: (span) => `${span} ago`,
  cancelledBy: (who, why) => `Cancelled by ${who}: ${why}`,
  comma: ', ',
  decidedBy: (who, what) => `${who} ${what}`,
  question: (number, count) => (count === 1 ? 'Question' : `Question ${number} of ${count}`),
  choosesSeveral: 'several may be chosen',
  freeText: 'or answer in your own words',
  suggestions: 'What an approval can allow beyond this call, with --scope session or always, and --grant',
  matched({ calls, of, days, asked, rejected, denied, cut }) {
    const parts = [
      `would have matched ${calls} of ${cut === true ? `the newest ${of}` : of} calls in the last ${days} days`,
      ...(asked === 0 ? [] : [`${asked} of which needed approval`]),
      ...(rejected === 0 ? [] : [`${rejected} of which were rejected`]),
      ...(denied === 0 ? [] : [`${denied} of which the policy still denies`]),
    ]
    return parts.join(', ')
  },
  example: 'such as',
  span: { second: ' s', minute: ' min', hour: ' h', day: ' d' },
}

const ZH: CliRequestWords = {
  because: '原因',
  agent: '智能体',
  session: '会话',
  submittedBy: '提交者',
  agentSays: '智能体的说明（未经核实）',
  approvers: '可批准的人',
  needed: (quorum) => `需要 ${quorum} 人批准`,
  votes: '已批准的人',
  approvedBy: '批准人',
  hadApproved: '此前已批准的人',
  editedIt: '修改了参数',
  digest: '摘要值',
  state: '状态',
  decision: '决定',
  reason: '理由',
  outcome: '结果',
  edited: '参数修改人',
  created: '提出于',
  expiresIn: (span) => `${span} 后过期`,
  overdue: '即将过期',
  ago: (span) => `${span}前`,
  cancelledBy: (who, why) => `由 ${who} 取消：${why}`,
  comma: '，',
  decidedBy: (who, what) => `${who} ${what}`,
  question: (number, count) => (count === 1 ? '问题' : `问题 ${number}/${count}`),
  choosesSeveral: '可多选',
  freeText: '也可以自行填写',
  suggestions: '批准可以一并放行的范围（配合 --scope session 或 always，以及 --grant）',
  matched({ calls, of, days, asked, rejected, denied, cut }) {
    const parts = [
      `最近 ${days} 天${cut === true ? `最新的 ${of}` : `的 ${of}`} 次调用中会匹配 ${calls} 次`,
      ...(asked === 0 ? [] : [`其中 ${asked} 次需要审批`]),
      ...(rejected === 0 ? [] : [`${rejected} 次被人拒绝`]),
      ...(denied === 0 ? [] : [`${denied} 次仍会被策略禁止`]),
    ]
    return parts.join('，')
  },
  example: '例如',
  span: { second: ' 秒', minute: ' 分', hour: ' 小时', day: ' 天' },
}

const WORDS: Readonly<Record<Locale, CliRequestWords>> = { en: EN, zh: ZH }

export function requestWords(locale: Locale): CliRequestWords {
  return WORDS[locale]
}

/** `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function spanText(milliseconds: number, { span }: CliRequestWords): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds}${span.second}`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}${span.minute}`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return join(hours, span.hour, minutes % 60, span.minute)
  return join(Math.floor(hours / 24), span.day, hours % 24, span.hour)
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`
}

import type { GrantWidth } from '../../../../src/client/index.ts'
import { translatedWords } from '../../words/translated-words.ts'
import type { GrantReach } from '../grant/grant-draft.ts'

interface GrantFormWords {
  legend: string
  where: string
  wheres: Record<GrantReach, string>
  howLong: string
  noEnd: string
  howOften: string
  anyNumber: string
  badNumber: string
  subSessions: string
  what: string
  loading: string
  unknown: string
  exact: string
  exactEdit: string
  width: Record<GrantWidth, string>
  wide: string
  wouldHave(calls: number, of: number, days: number): string
  never(of: number, days: number): string
  asked(asked: number, rejected: number): string
  denied(count: number): string
  cut: string
  examples: string
}

export const GRANT_WORDS = translatedWords<GrantFormWords>(
  {
    legend: 'For how long',
    where: 'Where',
    wheres: { session: 'in this session', always: 'in every session' },
    howLong: 'Ends',
    noEnd: 'no expiry',
    howOften: 'How many more times',
    anyNumber: 'any number',
    badNumber: 'Write a whole number from 1 to 1,000,000.',
    subSessions: 'Also in sessions it starts',
    what: 'Allow without asking, from narrow to wide',
    loading: 'Looking for what could be allowed…',
    unknown: 'Suggestions are unavailable. The approval covers exactly this call.',
    exact: 'Exactly this call',
    exactEdit: 'Covers exactly your version of the call.',
    width: { call: 'narrowest', shape: 'narrow', argument: 'wide', tool: 'widest' },
    wide: 'This allows many calls that nobody will review.',
    wouldHave: (calls, of, days) =>
      `Would have allowed ${calls} of ${of} ${of === 1 ? 'call' : 'calls'} in the last ${days} days.`,
    never: (of, days) => `None of the ${of} calls of the last ${days} days.`,
    asked: (asked, rejected) =>
      `${asked} of them needed approval, and people rejected ${rejected === 0 ? 'none' : rejected}.`,
    denied: (count) => `The policy still denies ${count} of them.`,
    cut: 'Only the newest calls were searched.',
    examples: 'Such as',
  },
  {
    legend: '有效期',
    where: '适用范围',
    wheres: { session: '在本次会话中', always: '在所有会话中' },
    howLong: '期限',
    noEnd: '不限时',
    howOften: '次数',
    anyNumber: '不限次数',
    badNumber: '请填写 1 到 1,000,000 的整数。',
    subSessions: '也包括由它启动的会话',
    what: '以后无需审批的范围（从窄到宽）',
    loading: '正在查找可选的范围…',
    unknown: '暂时无法给出建议。批准只对完全相同的调用有效。',
    exact: '仅限完全相同的调用',
    exactEdit: '只对您修改后的调用有效。',
    width: { call: '最窄', shape: '较窄', argument: '较宽', tool: '最宽' },
    wide: '许多调用将无人查看就直接执行。',
    wouldHave: (calls, of, days) => `最近 ${days} 天的 ${of} 次调用中，会放行 ${calls} 次。`,
    never: (of, days) => `最近 ${days} 天的 ${of} 次调用中没有一次符合。`,
    asked: (asked, rejected) =>
      rejected === 0
        ? `其中 ${asked} 次需要审批，均未被拒绝。`
        : `其中 ${asked} 次需要审批，被拒绝 ${rejected} 次。`,
    denied: (count) => `其中 ${count} 次仍会被策略禁止。`,
    cut: '只查看了最近的调用。',
    examples: '例如',
  },
)

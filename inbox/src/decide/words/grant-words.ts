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
    legend: 'An approval holds',
    where: 'Where',
    wheres: { session: 'in this session', always: 'in every session' },
    howLong: 'For how long',
    noEnd: 'without an end',
    howOften: 'How many times more',
    anyNumber: 'any number',
    badNumber: 'Write a whole number from 1 to 1,000,000.',
    subSessions: 'Also in the sessions that it starts',
    what: 'Which calls are let through',
    loading: 'Looking at what could be allowed…',
    unknown: 'What else could be allowed is not known now. The approval would hold for exactly this call.',
    exact: 'Exactly this call',
    exactEdit: 'It holds for exactly your version of the call.',
    width: { call: 'narrowest', shape: 'narrow', argument: 'wide', tool: 'widest' },
    wide: 'This lets much through that nobody will look at.',
    wouldHave: (calls, of, days) =>
      `Would have let through ${calls} of ${of} ${of === 1 ? 'call' : 'calls'} in the last ${days} days.`,
    never: (of, days) => `None of the ${of} calls of the last ${days} days.`,
    asked: (asked, rejected) =>
      rejected === 0
        ? `People were asked about ${asked}, and refused none.`
        : `People were asked about ${asked}, and refused ${rejected}.`,
    denied: (count) => `${count} of them the policy denies all the same.`,
    cut: 'Only the newest calls were looked through.',
    examples: 'Such as',
  },
  {
    legend: '批准的有效范围',
    where: '在哪里',
    wheres: { session: '在本次会话中', always: '在所有会话中' },
    howLong: '多长时间',
    noEnd: '不限时',
    howOften: '还可以几次',
    anyNumber: '不限次数',
    badNumber: '请填写 1 到 1,000,000 的整数。',
    subSessions: '也包括它启动的会话',
    what: '放行哪些调用',
    loading: '正在查看可以允许什么…',
    unknown: '目前无法得知还可以允许什么。批准将只对完全相同的调用有效。',
    exact: '仅限完全相同的调用',
    exactEdit: '只对您修改后的调用有效。',
    width: { call: '最窄', shape: '较窄', argument: '较宽', tool: '最宽' },
    wide: '这会放行许多无人查看的调用。',
    wouldHave: (calls, of, days) => `最近 ${days} 天的 ${of} 次调用中，会放行 ${calls} 次。`,
    never: (of, days) => `最近 ${days} 天的 ${of} 次调用中没有一次符合。`,
    asked: (asked, rejected) =>
      rejected === 0
        ? `其中 ${asked} 次询问过人，均未被拒绝。`
        : `其中 ${asked} 次询问过人，被拒绝 ${rejected} 次。`,
    denied: (count) => `其中 ${count} 次仍会被策略拒绝。`,
    cut: '只查看了最近的调用。',
    examples: '例如',
  },
)

import { translatedWords } from '../../words/translated-words.ts'
import type { GrantFilter, GrantState } from './grant-list.ts'

interface GrantsWords {
  about: string
  show: string
  shown: Record<GrantFilter, string>
  state: Record<GrantState, string>
  nothing: Record<GrantFilter, string>
  scope: { session: string; always: string }
  subSessions: string
  tool: string
  rules: string
  session: string
  given(by: string, when: string): string
  uses(count: number): string
  usesLeft(count: number): string
  noEnd: string
  revokedBy(by: string, when: string): string
  request: string
  revoke: string
  revokeConfirm: string
  revokeExplain: string
  more: string
}

export const GRANTS_WORDS = translatedWords<GrantsWords>(
  {
    about:
      'What people allowed for more than once. A call that one of these covers runs without anyone being asked.',
    show: 'Which to show',
    shown: { live: 'In force', over: 'Over', all: 'All' },
    state: { live: 'in force', revoked: 'revoked', expired: 'expired', used: 'used up' },
    nothing: {
      live: 'No grant is in force. When somebody approves “in this session” or “always”, what that allows is listed here, and can be taken back.',
      over: 'No grant has ended yet.',
      all: 'There are no grants yet. When somebody approves “in this session” or “always”, what that allows is listed here.',
    },
    scope: { session: 'in one session', always: 'in every session' },
    subSessions: 'and in what it starts',
    tool: 'Tool',
    rules: 'Answers the rules',
    session: 'Session',
    given: (by, when) => `${by} allowed this, ${when}`,
    uses: (count) => (count === 0 ? 'never used' : count === 1 ? 'used once' : `used ${count} times`),
    usesLeft: (count) => (count === 1 ? '1 use left' : `${count} uses left`),
    noEnd: 'no end',
    revokedBy: (by, when) => `Revoked by ${by}, ${when}`,
    request: 'The request that left it',
    revoke: 'Revoke',
    revokeConfirm: 'Revoke it',
    revokeExplain: 'From now on such calls are asked about again. What already runs goes on.',
    more: 'Load more',
  },
  {
    about: '人们批准了不止一次的内容。授权涵盖的调用会直接执行，不再询问。',
    show: '显示哪些',
    shown: { live: '有效', over: '已结束', all: '全部' },
    state: { live: '有效', revoked: '已撤销', expired: '已过期', used: '已用完' },
    nothing: {
      live: '目前没有有效的授权。有人选择“本次会话”或“始终”批准时，所授权的内容会列在这里，并可撤销。',
      over: '还没有结束的授权。',
      all: '还没有授权。有人选择“本次会话”或“始终”批准时，所授权的内容会列在这里。',
    },
    scope: { session: '仅一个会话', always: '所有会话' },
    subSessions: '及其启动的会话',
    tool: '工具',
    rules: '所答复的规则',
    session: '会话',
    given: (by, when) => `由 ${by} 授权，${when}`,
    uses: (count) => (count === 0 ? '未使用过' : `已使用 ${count} 次`),
    usesLeft: (count) => `还可使用 ${count} 次`,
    noEnd: '无期限',
    revokedBy: (by, when) => `由 ${by} 撤销，${when}`,
    request: '留下此授权的请求',
    revoke: '撤销',
    revokeConfirm: '确认撤销',
    revokeExplain: '今后此类调用会重新询问。正在执行的不受影响。',
    more: '加载更多',
  },
)

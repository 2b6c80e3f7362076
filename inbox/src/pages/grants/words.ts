import { translatedWords } from '../../words/translated-words.ts'
import type { GrantFilter } from './grant-list.ts'

interface GrantsWords {
  about: string
  show: string
  shown: Record<GrantFilter, string>
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
    about: 'Remembered approvals. Calls that they cover run without asking anyone.',
    show: 'Which to show',
    shown: { live: 'Active', over: 'Ended', all: 'All' },
    nothing: {
      live: 'No active grants. When somebody approves and remembers, the grant is listed here, and can be revoked.',
      over: 'No grant has ended yet.',
      all: 'No grants yet. When somebody approves and remembers, the grant is listed here.',
    },
    scope: { session: 'in one session', always: 'in every session' },
    subSessions: 'and the sessions it starts',
    tool: 'Tool',
    rules: 'Covers rules',
    session: 'Session',
    given: (by, when) => `${by} allowed this, ${when}`,
    uses: (count) => (count === 0 ? 'not used yet' : count === 1 ? 'used once' : `used ${count} times`),
    usesLeft: (count) => (count === 1 ? '1 use left' : `${count} uses left`),
    noEnd: 'no expiry',
    revokedBy: (by, when) => `Revoked by ${by}, ${when}`,
    request: 'Original request',
    revoke: 'Revoke',
    revokeConfirm: 'Revoke it',
    revokeExplain: 'Such calls need approval again from now on. Calls that already run are not affected.',
    more: 'Load more',
  },
  {
    about: '“批准并记住”留下的授权。授权范围内的调用无需审批，直接执行。',
    show: '显示哪些',
    shown: { live: '生效中', over: '已结束', all: '全部' },
    nothing: {
      live: '目前没有生效中的授权。有人选择“批准并记住”后，授权会列在这里，可随时撤销。',
      over: '还没有结束的授权。',
      all: '还没有授权。有人选择“批准并记住”后，授权会列在这里。',
    },
    scope: { session: '仅一个会话', always: '所有会话' },
    subSessions: '及其启动的会话',
    tool: '工具',
    rules: '适用规则',
    session: '会话',
    given: (by, when) => `由 ${by} 授权，${when}`,
    uses: (count) => (count === 0 ? '未使用过' : `已使用 ${count} 次`),
    usesLeft: (count) => `还可使用 ${count} 次`,
    noEnd: '不限时',
    revokedBy: (by, when) => `由 ${by} 撤销，${when}`,
    request: '来源请求',
    revoke: '撤销',
    revokeConfirm: '确认撤销',
    revokeExplain: '今后此类调用需要重新审批。正在执行的不受影响。',
    more: '加载更多',
  },
)

import type { DecideWords } from './words.ts'

const duration = {
  '15m': '15 分钟',
  '1h': '一小时',
  '8h': '8 小时',
  '1d': '一天',
  '7d': '一周',
  '30d': '30 天',
} as const

const bounds: DecideWords['grant']['left'] = (where, until, uses) =>
  [
    where === 'session' ? '在本次会话中' : '在所有会话中',
    ...(until === '' ? [] : [`${duration[until]}内`]),
    ...(uses === undefined ? [] : [`再 ${uses} 次`]),
  ].join('，')

const AGAIN = '未作任何记录：请求仍在等待，您写的内容也还在。'

export const DECIDE_CHINESE: DecideWords = {
  title: '您的决定',
  notYours: '您可以查看此请求，但由其他人决定。',
  reloading: '正在加载请求的最新内容，加载后即可决定。',
  back: '返回',
  again: '重试',
  notLoaded: '无法加载这一部分。服务器是否在运行？',
  covered: {
    first: '请先查看隐藏的值，再批准：它可能会被执行。',
    elsewhere: '此处不能批准：须先在请求自己的页面上查看隐藏的值。',
    open: '打开',
  },
  putOff: {
    open: '稍后处理',
    label: '推迟多久？',
    until: { minutes: '10 分钟', hour: '一小时', morning: '到明天早上' },
    deadline: '最迟在到期前一分钟重新出现。代理会继续等待。',
    forNow: '到时会自动重新出现。代理会继续等待。',
  },
  next: { one: '下一个', count: (left) => `还有 ${left} 个在等待` },
  unsent: '您写好但未发送的内容',
  confirm: {
    title: '确定批准吗？',
    editTitle: '批准您修改后的版本？',
    runs: '将会发生什么',
    asked: '这一行中',
    verdict: { ask: '需要询问', deny: '被拒绝' },
    leaves: (words) => `此外，以后的调用将不再询问、直接放行：${words}。`,
    haveRead: '我已阅读',
    approve: '确认批准',
  },
  votes: {
    needed: (after) => `您的批准算一票，之后还需要 ${after} 人批准。`,
    last: '您的批准是所需的最后一票。',
    given: (missing) => `您的批准已计入，还需要 ${missing} 人批准。`,
    yes: (names) => `已同意：${names}。`,
    fell: (by) => `${by} 修改了调用，此前的批准不再有效。`,
    narrowest: '多人允许的范围不同时，以最窄的为准。',
  },
  reject: {
    label: '理由',
    hint: '理由会告知代理，由它重新考虑。可以留空。',
    ready: '常用理由',
    reasons: ['太危险', '现在不行', '目标不对', '请换一种做法：', '下次请先问我'],
    unfinished: '请把话写完：希望代理改成怎么做？',
    noReason: '无法将理由告知此代理。',
  },
  respond: { label: '您的答复', hint: '将作为工具的结果返回，工具不会执行。' },
  sendKey: '按 Ctrl+Enter 发送。',
  terminate: {
    warning: (session) => `这将终止会话 ${session} 及其启动的一切，无法撤回。`,
    waiting: (count) =>
      count === 1
        ? '其中有 1 个请求（即此请求）在等待，将被取消。'
        : `其中有 ${count} 个请求在等待（包括此请求），将被取消。`,
    started: '执行中的会被要求停止，之后的调用会被拒绝。',
    confirm: '终止会话',
  },
  grant: {
    holds: '有效范围',
    exact: '完全相同的调用',
    span: { once: '仅此一次', session: '本次会话', always: '始终' },
    times: (uses) => (uses === undefined ? '若干次' : `再 ${uses} 次`),
    duration,
    approve: (where, until, uses) =>
      where === 'always' && until === '' && uses === undefined
        ? '批准，并始终允许'
        : `批准，并${where === 'session' ? '在本次会话中' : '在所有会话中'}允许${until === '' ? '' : duration[until]}${
            uses === undefined ? '' : `${until === '' ? '' : '、'}再 ${uses} 次`
          }`,
    left: bounds,
  },
  question: {
    ownAnswer: '您自己的答案',
    ownOnly: '您的答案',
    missing: '此题尚未回答。',
    several: '可选一项或多项。',
    one: '请选一项。',
  },
  counts: (code) => COUNTS.get(code) ?? '',
  recordedBy: (who, what) => `有效的是：${who} ${what}。`,
}

const COUNTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable: '无法得知您的答复是否送达。您写的内容还在；重复的答复只算一次。',
    edit_denied: AGAIN,
    arguments_invalid: AGAIN,
    invalid_decision: AGAIN,
    not_canonical: AGAIN,
    not_yours: AGAIN,
    scope_not_allowed: AGAIN,
    decision_not_allowed: AGAIN,
    digest_mismatch: AGAIN,
    uncover_first: AGAIN,
    too_large: AGAIN,
    store_unavailable: AGAIN,
    store_full: AGAIN,
    closed: AGAIN,
    already_decided: '您的答复未被记录。',
    not_pending: '您的答复未被记录。',
    expired: '您的答复未被记录，调用不会执行。',
    cancelled: '您的答复未被记录，调用不会执行。',
    session_ended: '您的答复未被记录，调用不会执行。',
  }),
)

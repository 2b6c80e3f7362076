import type { DecideWords } from './words.ts'

const duration = {
  '15m': '15 分钟',
  '1h': '1 小时',
  '8h': '8 小时',
  '1d': '1 天',
  '7d': '7 天',
  '30d': '30 天',
} as const

const bounds: DecideWords['grant']['left'] = (where, until, uses) =>
  [
    where === 'session' ? '在本次会话中' : '在所有会话中',
    ...(until === '' ? [] : [`${duration[until]}内`]),
    ...(uses === undefined ? [] : [`限 ${uses} 次`]),
  ].join('，')

const allowed = (until: keyof typeof duration | '', uses: number | undefined) => {
  if (uses === undefined) return until === '' ? '允许' : `允许 ${duration[until]}`
  return until === '' ? `再允许 ${uses} 次` : ` ${duration[until]}内再允许 ${uses} 次`
}

const AGAIN = '未作记录。请求仍待处理，您填写的内容仍保留。'

export const DECIDE_CHINESE: DecideWords = {
  title: '您的决定',
  notYours: '您可以查看此请求，但无权审批。',
  reloading: '正在加载请求的最新内容，加载完成后即可处理。',
  back: '返回',
  again: '重试',
  notLoaded: '无法加载这一部分。服务器是否在运行？',
  covered: {
    first: '请先查看隐藏的值再批准：它可能是要执行的内容。',
    elsewhere: '此处不能批准：请先在该请求的页面上查看隐藏的值。',
    open: '打开',
  },
  snooze: {
    open: '稍后处理',
    label: '多久之后再提醒？',
    until: { minutes: '10 分钟', hour: '1 小时', morning: '到明天早上' },
    deadline: '最迟在过期前一分钟重新出现。智能体会继续等待。',
    forNow: '到时会自动重新出现。智能体会继续等待。',
  },
  next: { one: (left) => `下一个（${left}）`, count: (left) => `还有 ${left} 个待处理` },
  more: '更多',
  read: { first: '请看完全部内容再批准。', on: '往下看 ↓' },
  remember: { open: '批准并记住', title: '批准并记住' },
  unsent: '您尚未发出的内容',
  confirm: {
    title: '确定批准吗？',
    editTitle: '确定批准修改后的调用吗？',
    runs: '将要执行的内容',
    leaves: (words) => `以后这类调用不再需要审批：${words}。`,
    haveRead: '我已看过',
    approve: '确认批准',
  },
  votes: {
    needed: (after) => `您批准后，还需要 ${after} 人批准。`,
    last: '您批准后，即达到所需的批准人数。',
    given: (missing) => `您的批准已计入，还需要 ${missing} 人批准。`,
    yes: (names) => `${names} 已批准。`,
    fell: (by) => `${by} 修改了调用，此前的批准不再有效。`,
    narrowest: '各审批人允许的范围不同时，以最窄的为准。',
  },
  reject: {
    label: '理由',
    hint: '选填。智能体会看到理由，并据此换一种做法。',
    ready: '常用理由',
    reasons: ['太危险', '现在不行', '目标不对', '请换一种做法：'],
    unfinished: '请写完这句话：希望智能体改为怎么做？',
    noReason: '无法将理由告知此智能体。',
  },
  respond: { label: '您的答复', hint: '智能体会把它当作工具的结果，工具不会执行。' },
  sendKey: '按 Ctrl+Enter 发送。',
  terminate: {
    warning: (session) => `“${session}”以及由它启动的会话都会终止。`,
    waiting: (count) =>
      count === 1
        ? '待处理的只有这一个请求，它会被取消。'
        : `包括这一个在内，共有 ${count} 个待处理的请求会被取消。`,
    started: '正在执行的调用会收到停止通知，之后的调用一律拒绝。',
  },
  grant: {
    exact: '完全相同的调用',
    span: { once: '仅此一次', session: '本次会话', always: '始终' },
    times: (uses) => (uses === undefined ? '若干次' : `再 ${uses} 次`),
    duration,
    approve: (where, until, uses) =>
      where === 'always' && until === '' && uses === undefined
        ? '批准，并始终允许'
        : `批准，并${where === 'session' ? '在本次会话中' : '在所有会话中'}${allowed(until, uses)}`,
    left: bounds,
  },
  question: {
    ownAnswer: '其他回答（自行填写）',
    ownOnly: '您的回答',
    missing: '此题尚未回答。',
    several: '可选一项或多项。',
    one: '请选一项。',
  },
  counts: (code) => COUNTS.get(code) ?? '',
  recordedBy: (who, what) => `记录的结果是：${who} ${what}。`,
}

const COUNTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable: '您的答复可能没有送达。您填写的内容仍保留，可以再发一次，重复的答复只算一次。',
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

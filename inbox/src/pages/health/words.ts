import { translatedWords } from '../../words/translated-words.ts'

interface HealthWords {
  days: { label: string; name(count: number): string }
  cut(calls: number): string
  nothing(days: number): string
  tiles: {
    asked: string
    askedPerDay(value: string): string
    median: string
    expired: string
    calls: string
    ofCalls(share: string): string
    noneYet: string
    ofOver: string
    p90(value: string): string
  }
  perDay: {
    title: string
    about: string
    asked: string
    allowed: string
    denied: string
    day: string
    /** From nothing to the day with the most. */
    scale(most: number): string
    axis: string
    table: string
    describe(total: number, most: number, day: string): string
  }
  rules: {
    title: string
    about: string
    none: string
    rule: string
    asked: string
    approved: string
    rejected: string
    expired: string
    other: string
    median: string
    alwaysApproved(approved: number, asked: number): string
    oftenExpires: string
    toPolicy: string
    more(count: number): string
  }
  time: {
    title: string
    none: string
    took: string
    decisions: string
    summary(median: string, p90: string): string
    below(time: string): string
    between(from: string, to: string): string
    above(time: string): string
  }
  states: { title: string; state: string; count: string }
  quick: {
    title: string
    none: string
    some(count: number, of: number): string
    explain: string
    streak(by: string, count: number, from: string, to: string): string
    look: string
  }
  people: { title: string; none: string; who: string; decided: string; approved: string; median: string }
  /** A time as people say it. */
  duration(ms: number): string
  percent(share: number): string
  number(value: number): string
}

const HOUR_MS = 3_600_000

function durationIn(
  units: readonly [second: string, minute: string, hour: string, day: string],
  ms: number,
): string {
  const [second, minute, hour, day] = units
  if (ms > 0 && ms < 1000) return `${Math.max(0.1, ms / 1000).toFixed(1)} ${second}`
  if (ms < 60_000) return `${Math.round(ms / 1000)} ${second}`
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} ${minute}`
  // Between one and two of something, half of it matters.
  const [length, name] = ms < 24 * HOUR_MS ? [HOUR_MS, hour] : [24 * HOUR_MS, day]
  const count = ms / length
  return `${count < 3 ? Math.round(count * 2) / 2 : Math.round(count)} ${name}`
}

/** Something is never said to be nothing, and not all of it never to be all. */
function percentOf(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return '<1%'
  if (percent > 99 && percent < 100) return '>99%'
  return `${Math.round(percent)}%`
}

export const HEALTH_WORDS = translatedWords<HealthWords>(
  {
    days: { label: 'Days', name: (count) => `${count} days` },
    cut: (calls) => `There were more calls: these figures cover the newest ${calls.toLocaleString('en')}.`,
    nothing: (days) =>
      `No calls in the last ${days} days. This page shows how often people are asked, by which rule, and how long they take.`,
    tiles: {
      asked: 'Requests',
      askedPerDay: (value) => `${value} a day`,
      median: 'Median time to decide',
      expired: 'Expired',
      calls: 'Calls',
      ofCalls: (share) => `${share} needed approval`,
      noneYet: 'none yet',
      ofOver: 'of all finished requests',
      p90: (value) => `90 % within ${value}`,
    },
    perDay: {
      title: 'Calls a day',
      about: 'Each row has its own scale.',
      asked: 'Needed approval',
      allowed: 'Allowed',
      denied: 'Denied',
      day: 'Day',
      scale: (most) => (most === 0 ? 'none' : `0 to ${most.toLocaleString('en')} a day`),
      axis: 'Day, in your time zone',
      table: 'The figures as a table',
      describe: (total, most, day) =>
        total === 0 ? 'none' : `${total} in all, at most ${most} a day, on ${day}`,
    },
    rules: {
      title: 'Rules that require approval, most frequent first',
      about: 'The longer the bar, the more requests: approved, rejected, expired.',
      none: 'No rule required approval in these days.',
      rule: 'Rule',
      asked: 'Requests',
      approved: 'approved',
      rejected: 'rejected',
      expired: 'expired',
      other: 'other or open',
      median: 'Median',
      alwaysApproved: (approved, asked) => `Approved ${approved} of ${asked}: consider allowing it.`,
      oftenExpires: 'Often nobody answers in time: are the right people asked?',
      toPolicy: 'Open the policy',
      more: (count) => `Show ${count} more`,
    },
    time: {
      title: 'Time to decide',
      none: 'No decisions in these days.',
      took: 'Time',
      decisions: 'Decisions',
      summary: (median, p90) => `Half were decided within ${median}, nine of ten within ${p90}.`,
      below: (time) => `under ${time}`,
      between: (from, to) => `${from} to ${to}`,
      above: (time) => `${time} or more`,
    },
    states: { title: 'How requests ended', state: 'State', count: 'Requests' },
    quick: {
      title: 'Quick decisions',
      none: 'No decision took less than a second. People seem to have time to read.',
      some: (count, of) => `${count} of ${of} decisions took less than a second.`,
      explain:
        'That is too short to read a call. It often means that people are asked too often: start with rules that are always approved.',
      streak: (by, count, from, to) => `${by}: ${count} in a row, ${from} to ${to}`,
      look: 'Show them',
    },
    people: {
      title: 'Who decides',
      none: 'No decisions in these days.',
      who: 'Who',
      decided: 'Decisions',
      approved: 'Approved',
      median: 'Median',
    },
    duration: (ms) => durationIn(['s', 'min', 'h', 'days'], ms).replace(/^1 days$/, '1 day'),
    percent: percentOf,
    number: (value) => value.toLocaleString('en', { maximumFractionDigits: 1 }),
  },
  {
    days: { label: '天数', name: (count) => `${count} 天` },
    cut: (calls) => `这段时间还有更多调用：只统计了最新的 ${calls.toLocaleString('zh')} 次。`,
    nothing: (days) => `最近 ${days} 天没有调用。这里会显示审批有多频繁、由哪些规则引起，以及用时多久。`,
    tiles: {
      asked: '请求',
      askedPerDay: (value) => `每天 ${value} 次`,
      median: '审批用时（中位数）',
      expired: '过期',
      calls: '调用',
      ofCalls: (share) => `其中 ${share} 需要审批`,
      noneYet: '暂无',
      ofOver: '占已结束请求的比例',
      p90: (value) => `九成在 ${value}内`,
    },
    perDay: {
      title: '每日调用',
      about: '三行的刻度各不相同。',
      asked: '需要审批',
      allowed: '允许',
      denied: '禁止',
      day: '日期',
      scale: (most) => (most === 0 ? '无' : `每天 0 至 ${most.toLocaleString('zh')} 次`),
      axis: '日期（您所在的时区）',
      table: '以表格显示',
      describe: (total, most, day) => (total === 0 ? '无' : `共 ${total} 次，最多一天 ${most} 次（${day}）`),
    },
    rules: {
      title: '触发审批最多的规则',
      about: '条形越长，请求越多，颜色区分批准、拒绝和过期。',
      none: '这段时间没有规则要求审批。',
      rule: '规则',
      asked: '请求',
      approved: '批准',
      rejected: '拒绝',
      expired: '过期',
      other: '其他或待处理',
      median: '用时中位数',
      alwaysApproved: (approved, asked) => `${asked} 个请求中批准了 ${approved} 个：可考虑直接允许。`,
      oftenExpires: '经常无人及时答复：审批人合适吗？',
      toPolicy: '前往策略',
      more: (count) => `再显示 ${count} 条`,
    },
    time: {
      title: '审批用时',
      none: '这段时间没有审批记录。',
      took: '用时',
      decisions: '审批次数',
      summary: (median, p90) => `一半在 ${median}内处理，九成在 ${p90}内。`,
      below: (time) => `${time}以内`,
      between: (from, to) => `${from} 至 ${to}`,
      above: (time) => `${time}以上`,
    },
    states: { title: '请求的结果', state: '状态', count: '请求数' },
    quick: {
      title: '过快的审批',
      none: '没有一秒内完成的审批，说明大家有时间阅读内容。',
      some: (count, of) => `${of} 次审批中有 ${count} 次在一秒内完成。`,
      explain: '这么短的时间看不完一次调用，往往说明审批太频繁：可先看看那些总是被批准的规则。',
      streak: (by, count, from, to) => `${by}：连续 ${count} 次，${from} 至 ${to}`,
      look: '查看',
    },
    people: {
      title: '审批人',
      none: '这段时间没有审批记录。',
      who: '审批人',
      decided: '审批次数',
      approved: '批准',
      median: '用时中位数',
    },
    duration: (ms) => durationIn(['秒', '分钟', '小时', '天'], ms),
    percent: percentOf,
    number: (value) => value.toLocaleString('zh', { maximumFractionDigits: 1 }),
  },
)

import { translatedWords } from '../../../words/translated-words.ts'
import type { FilterName, VerdictFilter } from '../calls/filters.ts'

interface HistoryWords {
  tabs: { label: string; calls: string; journal: string }
  chooseOne: string
  filter: Record<FilterName, string>
  verdict: Record<VerdictFilter, string>
  all: string
  anyState: string
  search: string
  moreFilters(count: number): string
  clear: string
  /** A filter that is set, on a button that takes it away. */
  chip(name: string, value: string): string
  remove: string
  /** In a row: what the policy said by itself. */
  by(who: string, what: string): string
  fresh(count: number, orMore: boolean): string
  more: string
  /** How far back was looked. */
  looked(calls: number, back: string | undefined): string
  whole: string
  nothing: string
  nothingFound: string
  nothingYet: string
  panel: {
    because: string
    rule: string
    arguments: string
    erased: string
    session: string
    call: string
    from: string
    digest: string
  }
  export: {
    start: string
    stop: string
    hint: string
    under(count: number): string
    done(count: number): string
    cut(count: number): string
    nothing: string
  }
}

export const HISTORY_WORDS = translatedWords<HistoryWords>(
  {
    tabs: { label: 'View', calls: 'Calls', journal: 'Journal' },
    chooseOne: 'Choose a call to see what the agent asked for and how it was decided.',
    filter: {
      verdict: 'Verdict',
      state: 'State',
      tool: 'Tool',
      session: 'Session',
      by: 'Decided by',
      rule: 'Rule',
      text: 'Search',
      since: 'From',
      until: 'To',
    },
    verdict: { ask: 'Needed approval', allow: 'Allowed', deny: 'Denied' },
    all: 'All',
    anyState: 'any',
    search: 'Search calls and reasons',
    moreFilters: (count) => (count === 0 ? 'Filters' : `Filters (${count})`),
    clear: 'Clear all',
    chip: (name, value) => `${name}: ${value}`,
    remove: 'remove',
    by: (who, what) => `${who} ${what}`,
    fresh: (count, orMore) =>
      orMore
        ? `More than ${count} new: show them`
        : count === 1
          ? '1 new call: show it'
          : `${count} new calls: show them`,
    more: 'Load more',
    looked: (calls, back) =>
      `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'} searched${back === undefined ? '' : `, back to ${back}`}.`,
    whole: 'End of the list.',
    nothing: 'No match so far.',
    nothingFound: 'No calls match these filters.',
    nothingYet: 'No calls yet. Every call of an agent is listed here, with its decision and outcome.',
    panel: {
      because: 'Why',
      rule: 'Rule',
      arguments: 'Arguments (secrets masked, long values shortened)',
      erased: 'The arguments were erased after their retention time.',
      session: 'Session',
      call: 'Call',
      from: 'Submitted by',
      digest: 'Digest',
    },
    export: {
      start: 'Export JSONL',
      stop: 'Stop',
      hint: 'Exports the filtered calls, up to 10,000, one a line. Secrets stay masked, and the arguments of requests are left out.',
      under: (count) => `${count.toLocaleString('en')} calls so far…`,
      done: (count) => `${count.toLocaleString('en')} ${count === 1 ? 'call' : 'calls'} saved.`,
      cut: (count) =>
        `${count.toLocaleString('en')} calls saved. There are more: narrow the filters to export the rest.`,
      nothing: 'No match, so nothing was saved.',
    },
  },
  {
    tabs: { label: '查看内容', calls: '调用', journal: '日志' },
    chooseOne: '选择一次调用，查看完整内容和处理结果。',
    filter: {
      verdict: '策略结论',
      state: '状态',
      tool: '工具',
      session: '会话',
      by: '处理人',
      rule: '规则',
      text: '搜索',
      since: '起始日期',
      until: '截止日期',
    },
    verdict: { ask: '需要审批', allow: '允许', deny: '禁止' },
    all: '全部',
    anyState: '不限',
    search: '搜索调用和理由',
    moreFilters: (count) => (count === 0 ? '筛选' : `筛选（${count}）`),
    clear: '全部清除',
    chip: (name, value) => `${name}：${value}`,
    remove: '移除',
    by: (who, what) => `${who} ${what}`,
    fresh: (count, orMore) =>
      orMore ? `有 ${count} 次以上新调用，点击显示` : `有 ${count} 次新调用，点击显示`,
    more: '加载更多',
    looked: (calls, back) =>
      `已查看 ${calls.toLocaleString('zh')} 次调用${back === undefined ? '' : `，最早至 ${back}`}。`,
    whole: '已全部列出。',
    nothing: '已查看的调用中没有匹配项。',
    nothingFound: '没有符合筛选条件的调用。',
    nothingYet: '还没有调用。智能体的每次调用都会列在这里，并注明如何处理、结果如何。',
    panel: {
      because: '原因',
      rule: '规则',
      arguments: '参数（机密已遮盖，过长的值已截短）',
      erased: '参数已在保留期满后删除。',
      session: '会话',
      call: '调用',
      from: '提交者',
      digest: '摘要值',
    },
    export: {
      start: '导出 JSONL',
      stop: '停止',
      hint: '导出筛选出的调用，最多 10,000 次，每行一次。机密保持遮盖，请求的参数不包含在内。',
      under: (count) => `已读取 ${count.toLocaleString('zh')} 次调用…`,
      done: (count) => `已保存 ${count.toLocaleString('zh')} 次调用。`,
      cut: (count) => `已保存 ${count.toLocaleString('zh')} 次调用，还有更多：请缩小筛选范围以获取其余部分。`,
      nothing: '没有匹配项，未保存任何内容。',
    },
  },
)

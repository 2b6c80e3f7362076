import { translatedWords } from '../words/translated-words.ts'

interface PendingWords {
  select(name: string): string
  selectGroup(name: string): string
  selected(count: number): string
  review: string
  clear: string
  filter: string
  nothingFound: string
  snoozed(count: number): string
  bringBack: string
  more(total: number): string
  group(agent: string, session: string): string
  notYours: string
  unsettled: {
    title: string
    hint: string
    link(count: number): string
  }
  together: {
    title(count: number): string
    tooMany(most: number): string
    hint: string
    readOn: string
    approve(count: number): string
    reject(count: number): string
    reason: string
    close: string
    leaveOut: string
    loading: string
    sending: string
    decided: string
    notTogether: string
    alone: string
    covered: string
    tooLong: string
    results(decided: number, failed: number): string
  }
}

export const PENDING_WORDS = translatedWords<PendingWords>(
  {
    select: (name) => `Select ${name}`,
    selectGroup: (name) => `Select all of ${name}`,
    selected: (count) => (count === 1 ? '1 selected' : `${count} selected`),
    review: 'Review…',
    clear: 'Clear',
    filter: 'Filter',
    nothingFound: 'No matching requests.',
    snoozed: (count) => (count === 1 ? '1 snoozed' : `${count} snoozed`),
    bringBack: 'Bring back',
    more: (total) =>
      `${total.toLocaleString('en')} pending in total. The rest is still loading, or is more than the list can show.`,
    group: (agent, session) => (agent === '' ? session : `${agent} · ${session}`),
    notYours: 'others decide',
    unsettled: {
      title: 'Outcome unknown',
      hint: 'The connection to these calls was lost while they ran. Find out what happened, open the call and say so.',
      link: (count) => `${count} with unknown outcome`,
    },
    together: {
      title: (count) => (count === 1 ? '1 request' : `${count} requests together`),
      tooMany: (most) => `Showing the first ${most}. Review the rest in another batch.`,
      hint: 'One click decides all of them. Each is shown in full, and recorded on its own.',
      readOn: 'Read on ↓',
      approve: (count) => (count === 0 ? 'Approve' : count === 1 ? 'Approve it' : `Approve these ${count}`),
      reject: (count) => (count === 0 ? 'Reject' : count === 1 ? 'Reject it' : `Reject these ${count}`),
      reason: 'Reason, if you reject',
      close: 'Close',
      leaveOut: 'Leave out',
      loading: 'loading…',
      sending: 'sending…',
      decided: 'recorded',
      notTogether: 'High risk: reject it here, or open it on its own to approve it.',
      alone: 'Must be answered individually.',
      covered:
        'A value is hidden because of its name. Reject it here, or open it on its own to uncover the value and approve.',
      tooLong: 'Too long to show in full here. Reject it here, or open it on its own to read and approve it.',
      results: (decided, failed) =>
        failed === 0 ? `All ${decided} recorded.` : `${decided} recorded, ${failed} failed: see each one.`,
    },
  },
  {
    select: (name) => `选中 ${name}`,
    selectGroup: (name) => `选中 ${name} 的全部请求`,
    selected: (count) => `已选中 ${count} 个`,
    review: '一并查看…',
    clear: '取消选择',
    filter: '筛选',
    nothingFound: '没有匹配的请求。',
    snoozed: (count) => `${count} 个稍后处理`,
    bringBack: '移回列表',
    more: (total) =>
      `共有 ${total.toLocaleString('zh')} 个待处理请求；其余正在加载，或超出列表可显示的数量。`,
    group: (agent, session) => (agent === '' ? session : `${agent} · ${session}`),
    notYours: '由他人审批',
    unsettled: {
      title: '结果未知',
      hint: '这些调用在执行过程中失去了联系。请查明结果，再打开请求补记。',
      link: (count) => `${count} 个结果未知`,
    },
    together: {
      title: (count) => `一并查看 ${count} 个请求`,
      tooMany: (most) => `仅显示前 ${most} 个，其余请分批处理。`,
      hint: '一次处理全部请求。每个调用都会完整显示，并分别记录。',
      readOn: '往下看 ↓',
      approve: (count) => (count === 0 ? '批准' : `批准 ${count} 个`),
      reject: (count) => (count === 0 ? '拒绝' : `拒绝 ${count} 个`),
      reason: '理由（用于所有被拒绝的请求）',
      close: '关闭',
      leaveOut: '移出',
      loading: '正在加载…',
      sending: '正在发送…',
      decided: '已记录',
      notTogether: '高风险：可在此拒绝；如要批准，请单独打开。',
      alone: '需要单独答复。',
      covered: '有一个值因名称疑似机密而隐藏：可在此拒绝；如要批准，请单独打开并查看该值。',
      tooLong: '内容太长，这里无法完整显示：可在此拒绝；如要批准，请单独打开并阅读全文。',
      results: (decided, failed) =>
        failed === 0
          ? `已全部记录（${decided} 个）。`
          : `已记录 ${decided} 个，${failed} 个未成功，详见各项。`,
    },
  },
)

import type { SessionsWords } from './words.ts'

export const SESSIONS_CHINESE: SessionsWords = {
  about: '智能体在指定的文件夹中后台工作，需要审批时会询问您。',
  show: '显示哪些',
  shown: { open: '未关闭', all: '我的全部', everyone: '所有人' },
  nothing: {
    open: '没有未关闭的会话。可新建会话：选择文件夹，说明要做什么。',
    all: '还没有会话。可新建会话：选择文件夹，说明要做什么。',
    everyone: '目前没有会话。',
  },
  absent: {
    title: '此服务器未启用编程会话',
    explain:
      '智能体可以在您的文件夹里后台工作。您交代好任务就可以去忙别的；任务完成、出错或需要您审批时，会在这里和聊天中通知您。',
    steps: [
      '在 banksman.yaml 中写上 `secretary:`，并列出会话可以使用的文件夹：',
      '运行 `banksman trust`，然后重新启动服务器。',
    ],
    example: 'secretary:\n  folders: [~/shop]',
    then: '默认引擎是 Claude Agent SDK（`npm install @anthropic-ai/claude-agent-sdk`）；写上 `engine: loop` 则使用 Banksman 自带的引擎。',
  },
  lost: '连接已断开，以下内容可能已过时。',
  untitled: '还没有消息',
  owner: (who) => `由 ${who} 发起`,
  lasting(ms) {
    const seconds = Math.floor(ms / 1000)
    if (seconds < 60) return `${seconds} 秒`
    const minutes = Math.floor(seconds / 60)
    if (minutes < 60) return `${minutes} 分 ${String(seconds % 60).padStart(2, '0')} 秒`
    const hours = Math.floor(minutes / 60)
    if (hours >= 48) return `${Math.floor(hours / 24)} 天`
    return minutes % 60 === 0 ? `${hours} 小时` : `${hours} 小时 ${minutes % 60} 分`
  },
  doing: {
    tool: '正在执行',
    thinking: '模型正在处理',
    nothing: '等待第一条消息。',
    unknown: '正在加载…',
    over: (status, when) => `上一轮：${status}，${when}`,
    asleep: '当前未运行，下一条消息会唤醒它。',
    closed: '下一条消息会重新打开它。',
    ended: '会话已终止，不能再发送消息。',
  },
  reason: '原因：',
  colon: '：',
  said: '最近的输出（原文）',
  saidCut: '仅显示末尾',
  calls: (count) => `${count} 次工具调用`,
  noCalls: '没有工具调用',
  waiting: {
    title: (count, waitsFor) => {
      const wanted = waitsFor === 'answer' ? '待您回答' : '待您审批'
      return count === 1 ? wanted : `${count} 个${waitsFor === 'answer' ? '问题' : '请求'}${wanted}`
    },
    since: (lasting) => `已等待 ${lasting}`,
    look: '查看并处理',
    open: '打开该请求',
    sheet: '请求',
    close: '关闭',
  },
  used: {
    title: '用量',
    turns: (used, limit) => (limit === undefined ? `${used} 轮` : `已用 ${used} 轮，上限 ${limit} 轮`),
    worked: (used, limit) => (limit === undefined ? `已工作 ${used}` : `已工作 ${used}，上限 ${limit}`),
    cost: (used, limit) =>
      limit === undefined ? `费用 ${dollars(used)}` : `费用 ${dollars(used)}，上限 ${dollars(limit)}`,
  },
  actions: {
    title: '可用操作',
    message: '发消息',
    noMessage: '收起',
    stopping: '正在停止…',
    closeConfirm: '确认关闭',
    open: '打开会话',
  },
  fresh: {
    button: '新建会话',
    title: '新建会话',
    folder: '文件夹',
    folderHint: '会话可以在这些文件夹及其子文件夹中工作。',
    otherFolder: '子文件夹…',
    path: '文件夹路径',
    pathHint: '完整路径，或配置中某个文件夹路径的最后一段。',
    message: '要做什么',
    messageHint: '可选。不填则会话等待您的第一条消息。',
    mode: '哪些操作无需审批',
    start: '开始',
    startIn: (mode) => `以“${mode}”模式开始`,
    cancel: '取消',
  },
  opened: {
    back: '会话列表',
    facts: '进展',
    missing: '没有这个会话，或者您无权查看。',
  },
}

function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? '不到 0.01 美元' : `${amount.toFixed(2)} 美元`
}

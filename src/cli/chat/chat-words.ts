/** What `banksman chat` says, in English and Chinese. The keys are the same in both. */
import type { InterruptionKind } from '../../core/conversation.ts'
import type { Locale } from '../../display/words/rendering-words.ts'

/** A request that is answered with another command. */
export interface AskedElsewhere {
  summary: string
  id: string
  /** It takes an answer, and can't be approved. */
  isQuestion: boolean
}

export interface CliChatWords {
  locale: Locale
  welcome(who: string, session: string, isNew: boolean): string
  goesOn: string
  embedded(model: string): string
  hint: string
  help: readonly string[]
  prompt: string
  promptRunning: string
  promptWaiting(count: number): string
  keys: { approval: string; covered: string; question: string }
  several(count: number): string
  rules: string
  notYours(summary: string, who: string): string
  nothingWaits: string
  interrupting: string
  stopping: string
  interruptedBy(who: string, how: InterruptionKind): string
  nothingRuns: string
  notSaid(why: string): string
  resumed: string
  retried(seconds: number, attempt: number, of: number): string
  replacedBy(hook: string): string
  refused(what: string, state: string): string
  answeredBy(who: string): string
  subBegan: string
  subEnded(status: string): string
  failed(stage: string): string
  turnEnded(status: string, reason: string | undefined): string
  moreLines(count: number): string
  /** Where a request is answered that can't be answered here. */
  answerElsewhere(asked: AskedElsewhere, inbox: string | undefined): string
  stillRuns(session: string): string
  stopsWith(session: string): string
  bye(session: string): string
  over: string
}

const EN: CliChatWords = {
  locale: 'en',
  welcome: (who, session, isNew) =>
    `Talking to the agent as ${who}, in the ${isNew ? 'new ' : ''}conversation ${session}.`,
  goesOn: 'Where you left off:',
  embedded: (model) =>
    `No server is running here, so the agent runs in this chat and stops with it. Model: ${model}.`,
  hint: 'Enter sends. Ctrl-C interrupts the agent, Ctrl-D leaves, /help shows more.',
  help: [
    'What you type goes to the agent. While it works, it reads your message between two steps.',
    'When a call needs your approval, it is shown, and you decide with a key:',
    '  y approve   n reject, with a reason   e edit in $EDITOR   a approve and remember   s skip',
    '  r respond instead of the tool   t end the session for good   w every argument in full   A approve all pending',
    '/pending  shows the requests that you skipped',
    '/exit     leaves, like Ctrl-D; nothing is cancelled',
    'Ctrl-C    interrupts: running calls finish, and the agent writes a last answer; a second one stops it at once',
  ],
  prompt: '› ',
  promptRunning: '… › ',
  promptWaiting: (count) => `(${count} pending: /pending) › `,
  keys: {
    approval: '[y] approve  [n] reject  [e] edit  [a] remember  [r] respond  [t] end  [s] skip  [?] › ',
    covered: 'hidden value, approve in the inbox  [n] reject  [e] edit  [s] skip  [?] › ',
    question: '[a] answer  [n] decline  [t] end  [s] skip  [?] › ',
  },
  several: (count) => `${count} calls need your approval; this is the first. A approves all of them.`,
  rules: 'Rules',
  notYours: (summary, who) => `Waiting for ${who}: ${summary}`,
  nothingWaits: 'No pending requests.',
  interrupting: 'Interrupting: running calls may finish. Press Ctrl-C again to stop at once.',
  stopping: 'Stopping at once.',
  interruptedBy: (who, how) => (how === 'hard' ? `${who} stopped the turn.` : `${who} interrupted the turn.`),
  nothingRuns: 'Nothing is running.',
  notSaid: (why) => `Not sent: ${why}`,
  resumed: 'The agent was restarted and continues.',
  retried: (seconds, attempt, of) =>
    `No answer from the model. Trying again${seconds === 0 ? '' : ` in ${seconds} s`} (${attempt} of ${of})`,
  replacedBy: (hook) => `result from hook ${hook}`,
  refused: (what, state) => `${what}: ${state}`,
  answeredBy: (who) => `${who} answered instead of the tool`,
  subBegan: 'Started another agent:',
  subEnded: (status) => `The other agent has ended: ${status}.`,
  failed: (stage) => `Something failed (${stage})`,
  turnEnded: (status, reason) => `Turn ended: ${status}${reason === undefined ? '' : `: ${reason}`}`,
  moreLines: (count) => `… ${count} more lines`,
  answerElsewhere: ({ summary, id, isQuestion }, inbox) =>
    `needs an answer: ${summary}
  answer it with: ${
    isQuestion
      ? 'banksman requests watch'
      : `banksman requests approve ${id}, or: banksman requests reject ${id} --reason "…"`
  }${
    inbox === undefined
      ? ''
      : `
  or in the inbox: ${inbox} (\`banksman login\` prints a link for the browser)`
  }`,
  stillRuns: (session) =>
    `The agent continues, and waits when a call needs your approval. Come back with: banksman chat --session ${session}`,
  stopsWith: (session) =>
    `The agent stops in the middle of a turn, and continues when you come back with: banksman chat --session ${session}`,
  bye: (session) => `Come back with: banksman chat --session ${session}`,
  over: 'This conversation has ended. Start another with: banksman chat',
}

const ZH: CliChatWords = {
  locale: 'zh',
  welcome: (who, session, isNew) => `以 ${who} 的身份与智能体对话，${isNew ? '新' : ''}会话 ${session}。`,
  goesOn: '上次到这里：',
  embedded: (model) => `这里没有运行服务器，智能体在本对话中运行，并随之结束。模型：${model}。`,
  hint: '回车发送。Ctrl-C 打断智能体，Ctrl-D 离开，/help 查看说明。',
  help: [
    '您输入的内容会发给智能体；它在工作时，会在两步之间看到。',
    '遇到需要您审批的调用时，会显示完整内容，请按键决定：',
    '  y 批准   n 拒绝并写明理由   e 在 $EDITOR 中修改   a 批准并记住   s 跳过',
    '  r 代替工具答复   t 终止会话（永久结束）   w 完整显示每个参数   A 批准所有待处理的调用',
    '/pending  再次显示您跳过的请求',
    '/exit     离开，与 Ctrl-D 相同；不会取消任何操作',
    'Ctrl-C    打断智能体：正在执行的操作会完成，智能体最后答复一次；再按一次立即停止',
  ],
  prompt: '› ',
  promptRunning: '… › ',
  promptWaiting: (count) => `（${count} 个待处理：/pending）› `,
  keys: {
    approval: '[y] 批准  [n] 拒绝  [e] 修改  [a] 记住  [r] 答复  [t] 终止  [s] 跳过  [?] › ',
    covered: '有值被隐藏，请在收件箱批准  [n] 拒绝  [e] 修改  [s] 跳过  [?] › ',
    question: '[a] 回答  [n] 不回答  [t] 终止  [s] 跳过  [?] › ',
  },
  several: (count) => `有 ${count} 个调用需要您审批，这是第一个。按 A 全部批准。`,
  rules: '规则',
  notYours: (summary, who) => `等待 ${who}：${summary}`,
  nothingWaits: '没有待处理的请求。',
  interrupting: '正在打断，执行中的操作会先完成。再按一次 Ctrl-C 立即停止。',
  stopping: '立即停止。',
  interruptedBy: (who, how) => (how === 'hard' ? `${who} 停止了本轮。` : `${who} 打断了本轮。`),
  nothingRuns: '没有正在执行的任务。',
  notSaid: (why) => `没有发送：${why}`,
  resumed: '智能体已重启，继续工作。',
  retried: (seconds, attempt, of) =>
    `模型没有应答，${seconds === 0 ? '正在' : `${seconds} 秒后`}重试（${attempt}/${of}）`,
  replacedBy: (hook) => `结果来自钩子 ${hook}`,
  refused: (what, state) => `${what}：${state}`,
  answeredBy: (who) => `${who} 代为答复`,
  subBegan: '启动了另一个智能体：',
  subEnded: (status) => `另一个智能体已结束：${status}。`,
  failed: (stage) => `出现错误（${stage}）`,
  turnEnded: (status, reason) => `本轮已结束：${status}${reason === undefined ? '' : `：${reason}`}`,
  moreLines: (count) => `… 还有 ${count} 行`,
  answerElsewhere: ({ summary, id, isQuestion }, inbox) =>
    `需要答复：${summary}
  用以下命令答复：${
    isQuestion
      ? 'banksman requests watch'
      : `banksman requests approve ${id}，或：banksman requests reject ${id} --reason "…"`
  }${
    inbox === undefined
      ? ''
      : `
  或在收件箱中：${inbox}（用 \`banksman login\` 获取登录链接）`
  }`,
  stillRuns: (session) =>
    `智能体会继续工作，需要您审批时会等待。回来请用：banksman chat --session ${session}`,
  stopsWith: (session) => `智能体在本轮中途停下，回来后继续：banksman chat --session ${session}`,
  bye: (session) => `回来请用：banksman chat --session ${session}`,
  over: '会话已结束。如要继续，请开始新会话：banksman chat',
}

const WORDS: Readonly<Record<Locale, CliChatWords>> = { en: EN, zh: ZH }

export function chatWords(locale: Locale): CliChatWords {
  return WORDS[locale]
}

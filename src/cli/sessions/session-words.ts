/** What `banksman sessions` says, in English and Chinese. A translation that is missing does not compile. */
import type { WireTurnProgress } from '../../client/index.ts'
import type { Locale } from '../../display/words/rendering-words.ts'

type CallState = WireTurnProgress['recent'][number]['state']

export interface SessionWords {
  callStates: Record<CallState, string>
  none: string
  more(cursor: string): string
  /** How long the turn has run, which is longer than it waits or works. */
  begun(span: string): string
  mode(mode: string): string
  folder(path: string): string
  message(by: string, text: string): string
  calls(count: number): string
  itsWords: string
  used(used: { turns: string; isOne: boolean; time: string; cost: string | undefined }): string
  of(used: string, limit: string | undefined): string
  ended(status: string): string
  nothingSaid: string
  started(id: string, folder: string): string
  waitsForMessage(id: string): string
  sent(id: string): string
  steered(id: string): string
  howFar(id: string): string
  goesOn(id: string): string
  stopped(id: string): string
  nothingRan(id: string): string
  notStopped(request: string, why: string): string
  modeSet(id: string, mode: string): string
  modeIs(id: string, mode: string): string
  modeOfPolicy(id: string): string
  settable(modes: string): string
  closed(id: string): string
}

const EN: SessionWords = {
  callStates: {
    proposed: 'requested',
    waiting: 'needs an answer',
    running: 'running',
    done: 'done',
    failed: 'failed',
    refused: 'refused',
    answered: 'answered by a person',
  },
  none: 'No sessions. Start one with: banksman sessions start FOLDER "what to do"',
  more: (cursor) => `There are more: --cursor ${cursor}`,
  begun: (span) => `turn started ${span} ago`,
  mode: (mode) => `mode ${mode}`,
  folder: (path) => `Folder: ${path}`,
  message: (by, text) => `${by} said: ${text}`,
  calls: (count) => `${count} ${count === 1 ? 'call' : 'calls'}; the last:`,
  itsWords: 'It said (unverified):',
  used: ({ turns, isOne, time, cost }) =>
    `Used: ${turns} ${isOne ? 'turn' : 'turns'}, ${time} of work${cost === undefined ? '' : `, ${cost} US dollars`}`,
  of: (used, limit) => (limit === undefined ? used : `${used} of ${limit}`),
  ended: (status) => `Turn ended: ${status}`,
  nothingSaid: 'No messages yet.',
  started: (id, folder) => `Started ${id} in ${folder}`,
  waitsForMessage: (id) => `It is waiting for a message: banksman sessions send ${id} "what to do"`,
  sent: (id) => `Sent to ${id}. It is working on it.`,
  steered: (id) => `Sent to ${id}. It takes the message into account.`,
  howFar: (id) => `See its progress with: banksman sessions progress ${id}`,
  goesOn: (id) =>
    `It continues, and calls still need approval. See its progress with: banksman sessions progress ${id} --watch`,
  stopped: (id) => `${id} was stopped; the next message continues it`,
  nothingRan: (id) => `nothing is running in ${id}`,
  notStopped: (request, why) => `${request} could not be stopped: ${why}`,
  modeSet: (id, mode) => `${id} is in mode ${mode} from now on`,
  modeIs: (id, mode) => `${id} is in mode ${mode}`,
  modeOfPolicy: (id) => `${id} has no mode of its own; the policy's mode applies`,
  settable: (modes) => (modes === '' ? 'Only its owner or an admin can set it.' : `You can set: ${modes}`),
  closed: (id) => `${id} is closed; the next message opens it again`,
}

const ZH: SessionWords = {
  callStates: {
    proposed: '准备执行',
    waiting: '需要答复',
    running: '执行中',
    done: '完成',
    failed: '失败',
    refused: '未执行',
    answered: '已代为答复',
  },
  none: '没有会话。新建一个：banksman sessions start 文件夹 "要做的事"',
  more: (cursor) => `还有更多：--cursor ${cursor}`,
  begun: (span) => `本轮 ${span}前开始`,
  mode: (mode) => `模式 ${mode}`,
  folder: (path) => `文件夹：${path}`,
  message: (by, text) => `${by} 说：${text}`,
  calls: (count) => `调用 ${count} 次，最近的：`,
  itsWords: '会话输出（未经核实）：',
  used: ({ turns, time, cost }) =>
    `已用：${turns} 轮，工作 ${time}${cost === undefined ? '' : `，${cost} 美元`}`,
  of: (used, limit) => (limit === undefined ? used : `${used}/${limit}`),
  ended: (status) => `本轮已结束：${status}`,
  nothingSaid: '还没有消息。',
  started: (id, folder) => `已在 ${folder} 中启动 ${id}`,
  waitsForMessage: (id) => `它在等待消息：banksman sessions send ${id} "要做的事"`,
  sent: (id) => `已发送给 ${id}，它开始处理。`,
  steered: (id) => `已发送给 ${id}，它会在本轮中参考这条消息。`,
  howFar: (id) => `查看进度：banksman sessions progress ${id}`,
  goesOn: (id) => `它会继续工作，需要审批时照常提出请求。查看进度：banksman sessions progress ${id} --watch`,
  stopped: (id) => `${id} 已停下，下一条消息会让它继续`,
  nothingRan: (id) => `${id} 没有正在执行的任务`,
  notStopped: (request, why) => `${request} 无法停止：${why}`,
  modeSet: (id, mode) => `${id} 从现在起使用模式 ${mode}`,
  modeIs: (id, mode) => `${id} 的模式是 ${mode}`,
  modeOfPolicy: (id) => `${id} 没有单独设置模式，按策略的模式处理`,
  settable: (modes) => (modes === '' ? '只有会话的所有者或管理员可以更改。' : `可设为：${modes}`),
  closed: (id) => `${id} 已关闭，下一条消息会重新打开它`,
}

const WORDS: Readonly<Record<Locale, SessionWords>> = { en: EN, zh: ZH }

export function sessionWords(locale: Locale): SessionWords {
  return WORDS[locale]
}

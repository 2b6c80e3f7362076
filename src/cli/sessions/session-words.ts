/** What `banksman sessions` says, in English and Chinese. A translation that is missing does not compile. */
import type { WireProgress, WireTurnProgress } from '../../client/index.ts'
import type { CodingState } from '../../core/secretary.ts'
import type { Locale } from '../../display/words/rendering-words.ts'

type CallState = WireTurnProgress['recent'][number]['state']

export interface SessionWords {
  states: Record<CodingState, string>
  progressStates: Record<WireProgress['state'], string>
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
  states: {
    asleep: 'asleep',
    idle: 'idle',
    running: 'working',
    waiting: 'waiting for a person',
    closed: 'closed',
    ended: 'ended',
  },
  progressStates: { idle: 'idle', running: 'working', waiting: 'waiting for a person' },
  callStates: {
    proposed: 'proposed',
    waiting: 'waiting for a person',
    running: 'running',
    done: 'done',
    failed: 'failed',
    refused: 'refused',
    answered: 'answered by a person',
  },
  none: 'There is no session. Start one with: banksman sessions start FOLDER "what to do"',
  more: (cursor) => `There are more: --cursor ${cursor}`,
  begun: (span) => `turn began ${span} ago`,
  mode: (mode) => `mode ${mode}`,
  folder: (path) => `Folder: ${path}`,
  message: (by, text) => `${by} said: ${text}`,
  calls: (count) => `${count} ${count === 1 ? 'call' : 'calls'}; the last:`,
  itsWords: 'It said (its own words):',
  used: ({ turns, isOne, time, cost }) =>
    `Used: ${turns} ${isOne ? 'turn' : 'turns'}, ${time} of work${cost === undefined ? '' : `, ${cost} US dollars`}`,
  of: (used, limit) => (limit === undefined ? used : `${used} of ${limit}`),
  ended: (status) => `The turn is over: ${status}`,
  nothingSaid: 'Nobody has said anything in it yet.',
  started: (id, folder) => `${id} works in ${folder}`,
  waitsForMessage: (id) => `It waits for a message: banksman sessions send ${id} "what to do"`,
  sent: (id) => `${id} has the message, and works on it`,
  steered: (id) => `${id} has the message, and takes it into account`,
  howFar: (id) => `How far it is: banksman sessions progress ${id}`,
  goesOn: (id) =>
    `It goes on without you, and people are asked as ever. Look at it with: banksman sessions progress ${id} --watch`,
  stopped: (id) => `${id} was stopped; it goes on with the next message`,
  nothingRan: (id) => `nothing ran in ${id}`,
  notStopped: (request, why) => `${request} could not be stopped: ${why}`,
  modeSet: (id, mode) => `${id} is in mode ${mode} from now on`,
  modeIs: (id, mode) => `${id} is in mode ${mode}`,
  modeOfPolicy: (id) => `${id} has no mode of its own: that of the policy holds`,
  settable: (modes) => (modes === '' ? 'Only its owner or an admin can set it.' : `You can set: ${modes}`),
  closed: (id) => `${id} is closed; the next message opens it again`,
}

const ZH: SessionWords = {
  states: {
    asleep: '休眠',
    idle: '空闲',
    running: '工作中',
    waiting: '等待处理',
    closed: '已关闭',
    ended: '已终止',
  },
  progressStates: { idle: '空闲', running: '工作中', waiting: '等待处理' },
  callStates: {
    proposed: '已提出',
    waiting: '等待处理',
    running: '执行中',
    done: '完成',
    failed: '失败',
    refused: '被拒绝',
    answered: '由人代答',
  },
  none: '没有会话。新建一个：banksman sessions start 目录 "要做的事"',
  more: (cursor) => `还有更多：--cursor ${cursor}`,
  begun: (span) => `本轮 ${span}前开始`,
  mode: (mode) => `模式 ${mode}`,
  folder: (path) => `目录：${path}`,
  message: (by, text) => `${by} 说：${text}`,
  calls: (count) => `调用 ${count} 次，最近的：`,
  itsWords: '它说（它自己的话）：',
  used: ({ turns, time, cost }) =>
    `已用：${turns} 轮，工作 ${time}${cost === undefined ? '' : `，${cost} 美元`}`,
  of: (used, limit) => (limit === undefined ? used : `${used}/${limit}`),
  ended: (status) => `本轮已结束：${status}`,
  nothingSaid: '还没有人对它说过话。',
  started: (id, folder) => `${id} 在 ${folder} 中工作`,
  waitsForMessage: (id) => `它在等消息：banksman sessions send ${id} "要做的事"`,
  sent: (id) => `${id} 已收到消息，开始处理`,
  steered: (id) => `${id} 已收到消息，会在本轮中考虑`,
  howFar: (id) => `查看进度：banksman sessions progress ${id}`,
  goesOn: (id) => `它会继续工作，需要时照常询问。查看：banksman sessions progress ${id} --watch`,
  stopped: (id) => `${id} 已停下，下一条消息会让它继续`,
  nothingRan: (id) => `${id} 中没有正在运行的内容`,
  notStopped: (request, why) => `${request} 无法停止：${why}`,
  modeSet: (id, mode) => `${id} 从现在起使用模式 ${mode}`,
  modeIs: (id, mode) => `${id} 的模式是 ${mode}`,
  modeOfPolicy: (id) => `${id} 没有单独设置模式，按策略的模式处理`,
  settable: (modes) => (modes === '' ? '只有所有者或管理员可以更改。' : `可设为：${modes}`),
  closed: (id) => `${id} 已关闭，下一条消息会重新打开它`,
}

const WORDS: Readonly<Record<Locale, SessionWords>> = { en: EN, zh: ZH }

export function sessionWords(locale: Locale): SessionWords {
  return WORDS[locale]
}

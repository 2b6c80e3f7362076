/** What the secretary says in chats, in its own words. The type of both languages is one: a missing translation doesn't compile. */
import type { SessionModeName } from '../../../core/secretary.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import { type SessionAction, saySessionAction } from '../../../display/words/session-actions.ts'
import type { CommandName, TalkMistake } from './parse-talk.ts'

/** Names in it were made visible. */
export interface TalkWords {
  started: string
  startedIn(folder: string, session: string): string
  waitsForMessage(folder: string, session: string): string
  noSession(prefix: string): string
  noSuchSession(written: string, prefix: string): string
  severalSessions(written: string, ids: string): string
  noSessions(prefix: string): string
  sessions(count: number): string
  /** One session in a list. `isCurrent`: messages here go to it. */
  listed(folder: string, isCurrent: boolean, facts: readonly string[]): string
  switched(folder: string, session: string): string
  stopped: string
  nothingRuns: string
  closed(folder: string): string
  mode(mode: SessionModeName): string
  modeAsked(mode: SessionModeName): string
  modeBecause(mode: SessionModeName, folder: string): string
  modeNotAllowed(mode: SessionModeName): string
  modeRefused(why: string): string
  direct(folder: string | undefined, prefix: string): string
  smart: string
  noModel(prefix: string): string
  directByDefault(prefix: string): string
  thinking: string
  repeated: string
  failed(why: string): string
  mistake(mistake: TalkMistake, prefix: string): string
  help(prefix: string, hasModel: boolean): string
  ago(minutes: number): string
  progress: {
    head(folder: string, state: string, mode: string): string
    idle: string
    nothingYet: string
    /** Behind the head. */
    elapsed(seconds: number): string
    about: string
    counts(steps: number, calls: number): string
    waiting(count: number): string
    calls: string
    said: string
    ended(status: string): string
    cost(usd: string): string
  }
  secretary: { title: string; says: string; failed: string }
}

const USAGE: Readonly<Record<CommandName, string>> = {
  new: 'new <folder> [message] [--mode M]',
  list: 'list',
  switch: 'switch <session>',
  progress: 'progress',
  stop: 'stop',
  mode: 'mode <M>',
  close: 'close',
  direct: 'direct',
  smart: 'smart',
  help: 'help',
}

const MODES = 'default, plan, acceptEdits (edit), dontAsk, bypassPermissions (bypass)'

const EN: TalkWords = {
  started: '⏳ Started',
  startedIn: (folder, session) => `⏳ Started\n${folder} (${session})`,
  waitsForMessage: (folder, session) => `Session in ${folder} is ready (${session}). Send its first message.`,
  noSession: (prefix) =>
    `Nothing was sent: no session is chosen in this chat. Start one with ${prefix}new <folder>, or choose one with ${prefix}switch <session>.`,
  noSuchSession: (written, prefix) => `You have no session “${written}”. ${prefix}list shows yours.`,
  severalSessions: (written, ids) => `“${written}” matches several sessions. Give the id: ${ids}`,
  noSessions: (prefix) => `You have no open session. Start one with ${prefix}new <folder> [message].`,
  sessions: (count) => (count === 1 ? '1 session:' : `${count} sessions:`),
  listed: (folder, isCurrent, facts) => `${folder}${isCurrent ? ' (current)' : ''}: ${facts.join(', ')}`,
  switched: (folder, session) => `Messages here go to the session in ${folder} now (${session}).`,
  stopped: 'Stopped. Pending requests of this turn are withdrawn.',
  nothingRuns: 'Nothing is running in this session.',
  closed: (folder) => `Closed the session in ${folder}. The next message opens it again.`,
  mode: (mode) => `Mode is ${mode} from the next call on.`,
  modeAsked: (mode) =>
    `${mode} needs less approval, so confirm it on the card first. Until you click Approve, the mode doesn't change.`,
  modeBecause: (mode, folder) =>
    `${mode} lets calls in ${folder} run without approval, so setting it from a chat needs a click.`,
  modeNotAllowed: (mode) =>
    `The mode was not changed: the configuration doesn't allow ${mode} here. An administrator can add it under modes: in banksman.yaml.`,
  modeRefused: (why) => `The mode was not changed: ${why}`,
  direct: (folder, prefix) =>
    folder === undefined
      ? `Direct: every message here goes to the session. Choose one with ${prefix}switch, or start one with ${prefix}new.`
      : `Direct: every message here goes to the session in ${folder}. A y or n is an answer only as a reply to a card.`,
  smart: 'Smart: messages here go to the secretary.',
  noModel: (prefix) =>
    `There is no model for the secretary here, so messages go straight to the session. ${prefix}help lists the commands.`,
  directByDefault: (prefix) =>
    `There is no model for the secretary here, so every message goes straight to the session you choose (${prefix}direct).`,
  thinking: '⏳ On it.',
  repeated:
    'A fault or a restart interrupted this message, so it may or may not have been carried out. Check, and send it again if it was not.',
  failed: (why) => `Nothing was done: ${why}`,
  mistake: (mistake, prefix) => mistakeInEnglish(mistake, prefix),
  help: (prefix, hasModel) =>
    [
      `${prefix}${USAGE.new}: start a session`,
      `${prefix}list: your sessions`,
      `${prefix}switch <session>: talk to another one, by id or folder`,
      `${prefix}progress: how far it is`,
      `${prefix}stop: ${actionLine('stop', 'en')}`,
      `${prefix}mode <M>: ${MODES}`,
      `${prefix}close: ${actionLine('close', 'en')}`,
      `${prefix}direct: every message goes to the session`,
      hasModel
        ? `${prefix}smart: every message goes to the secretary`
        : `${prefix}smart: needs a model, and there is none here`,
      'Put a folder name with spaces in quotes.',
    ].join('\n'),
  ago: (minutes) =>
    minutes < 1 ? 'just now' : minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`,
  progress: {
    head: (folder, state, mode) => `${folder}: ${state}, mode ${mode}`,
    idle: 'Nothing is running.',
    nothingYet: 'No messages yet.',
    elapsed: (seconds) => `, for ${timeOf(seconds, { h: 'h', min: 'min', s: 's' })}`,
    about: 'Working on:',
    counts: (steps, calls) =>
      `${steps} ${steps === 1 ? 'step' : 'steps'}, ${calls} tool ${calls === 1 ? 'call' : 'calls'}`,
    waiting: (count) => (count === 1 ? '1 call needs approval:' : `${count} calls need approval:`),
    calls: 'Latest calls:',
    said: 'It said (unverified):',
    ended: (status) => `Last turn: ${status}.`,
    cost: (usd) => `Cost so far: $${usd}`,
  },
  secretary: {
    title: 'Secretary',
    says: 'In its own words:',
    failed: "The secretary couldn't answer",
  },
}

function mistakeInEnglish(mistake: TalkMistake, prefix: string): string {
  switch (mistake.what) {
    case 'command':
      return `There is no command ${prefix}${mistake.written}. ${mistake.meant === undefined ? '' : `Did you mean ${prefix}${mistake.meant}? `}${prefix}help lists them.`
    case 'folder':
      return `Which folder? ${prefix}${USAGE.new}`
    case 'session':
      return `Which session? ${prefix}${USAGE.switch}. ${prefix}list shows yours.`
    case 'mode':
      return `Which mode? One of: ${MODES}`
    case 'two_modes':
      return 'There are two modes. Give one. If one is meant for the message, put the message in quotes.'
    case 'auto':
      return `There is no mode auto here: in coding agents today, it means something else. One of: ${MODES}`
    case 'quote':
      return `The quote at ${mistake.written} is not closed. Write "my folder" with a quote at both ends.`
    case 'unknown_mode':
      return `There is no mode ${mistake.written}. ${mistake.meant === undefined ? '' : `Did you mean ${mistake.meant}? `}One of: ${MODES}. If it is part of the message, put the message in quotes.`
    case 'too_much':
      return `${prefix}${mistake.name} doesn't take “${mistake.written}”. It is: ${prefix}${USAGE[mistake.name]}`
  }
}

const ZH: TalkWords = {
  started: '⏳ 已开始执行',
  startedIn: (folder, session) => `⏳ 已开始执行\n${folder}（${session}）`,
  waitsForMessage: (folder, session) => `${folder} 的会话已就绪（${session}），请发送第一条消息。`,
  noSession: (prefix) =>
    `没有发送：这个聊天还没有选定会话。用 ${prefix}new <文件夹> 新建，或用 ${prefix}switch <会话> 选择。`,
  noSuchSession: (written, prefix) => `您没有会话“${written}”。用 ${prefix}list 查看您的会话。`,
  severalSessions: (written, ids) => `“${written}”对应多个会话，请写明编号：${ids}`,
  noSessions: (prefix) => `您没有打开的会话。用 ${prefix}new <文件夹> [消息] 新建一个。`,
  sessions: (count) => `共 ${count} 个会话：`,
  listed: (folder, isCurrent, facts) => `${folder}${isCurrent ? '（当前）' : ''}：${facts.join('，')}`,
  switched: (folder, session) => `现在起，这里的消息发给 ${folder} 的会话（${session}）。`,
  stopped: '已停止。本轮待处理的请求已取消。',
  nothingRuns: '这个会话没有在执行任务。',
  closed: (folder) => `已关闭 ${folder} 的会话，下一条消息会重新打开它。`,
  mode: (mode) => `从下一次调用起，模式为 ${mode}。`,
  modeAsked: (mode) => `${mode} 会减少审批，需要您先在卡片上点“批准”。在此之前模式不变。`,
  modeBecause: (mode, folder) =>
    `${mode} 会让 ${folder} 中的调用不经审批直接执行，因此从聊天中设置需要点击确认。`,
  modeNotAllowed: (mode) =>
    `模式没有改变：这里的配置不允许 ${mode}。管理员可以在 banksman.yaml 的 modes: 中加上它。`,
  modeRefused: (why) => `模式没有改变：${why}`,
  direct: (folder, prefix) =>
    folder === undefined
      ? `直连模式：这里的每条消息都直接发给会话。用 ${prefix}switch 选择会话，或用 ${prefix}new 新建。`
      : `直连模式：这里的每条消息都直接发给 ${folder} 的会话。回复卡片的 y 或 n 才算审批答复。`,
  smart: '智能模式：这里的消息交给秘书处理。',
  noModel: (prefix) => `这里没有为秘书配置模型，消息会直接发给会话。命令见 ${prefix}help。`,
  directByDefault: (prefix) =>
    `这里没有为秘书配置模型，每条消息都会直接发给您选定的会话（${prefix}direct）。`,
  thinking: '⏳ 正在处理',
  repeated: '处理这条消息时发生了故障或重启，可能已执行，也可能没有。请先查看，如未执行请重发。',
  failed: (why) => `没有执行：${why}`,
  mistake: (mistake, prefix) => mistakeInChinese(mistake, prefix),
  help: (prefix, hasModel) =>
    [
      `${prefix}new <文件夹> [消息] [--mode 模式]：新建会话`,
      `${prefix}list：查看会话`,
      `${prefix}switch <会话>：切换会话，可写编号或文件夹`,
      `${prefix}progress：查看进度`,
      `${prefix}stop：${actionLine('stop', 'zh')}`,
      `${prefix}mode <模式>：${MODES}`,
      `${prefix}close：${actionLine('close', 'zh')}`,
      `${prefix}direct：消息直接发给会话`,
      hasModel ? `${prefix}smart：消息交给秘书` : `${prefix}smart：需要模型，这里没有配置`,
      '带空格的文件夹请加引号。',
    ].join('\n'),
  ago: (minutes) =>
    minutes < 1 ? '刚刚' : minutes < 120 ? `${minutes} 分钟前` : `${Math.round(minutes / 60)} 小时前`,
  progress: {
    head: (folder, state, mode) => `${folder}：${state}，模式 ${mode}`,
    idle: '没有在执行任务。',
    nothingYet: '还没有收到消息。',
    elapsed: (seconds) => `，已用 ${timeOf(seconds, { h: '小时', min: '分', s: '秒' })}`,
    about: '任务：',
    counts: (steps, calls) => `${steps} 步，${calls} 次工具调用`,
    waiting: (count) => `${count} 个调用需要审批：`,
    calls: '最近的调用：',
    said: '会话输出（未经核实）：',
    ended: (status) => `上一轮：${status}。`,
    cost: (usd) => `目前费用：$${usd}`,
  },
  secretary: { title: '秘书', says: '原文：', failed: '秘书未能答复' },
}

function mistakeInChinese(mistake: TalkMistake, prefix: string): string {
  switch (mistake.what) {
    case 'command':
      return `没有命令 ${prefix}${mistake.written}。${mistake.meant === undefined ? '' : `您是想用 ${prefix}${mistake.meant} 吗？`}用 ${prefix}help 查看全部命令。`
    case 'folder':
      return `请写明文件夹：${prefix}new <文件夹> [消息] [--mode 模式]`
    case 'session':
      return `请写明会话：${prefix}switch <会话>。用 ${prefix}list 查看您的会话。`
    case 'mode':
      return `请写明模式，可选：${MODES}`
    case 'two_modes':
      return '写了两个模式，请只写一个。如果其中一个属于消息内容，请把消息放进引号。'
    case 'auto':
      return `这里没有 auto 模式：如今编程智能体里的 auto 是另一回事。可选：${MODES}`
    case 'quote':
      return `${mistake.written} 处的引号没有闭合，请写成 "my folder"，两端都要有引号。`
    case 'unknown_mode':
      return `没有模式 ${mistake.written}。${mistake.meant === undefined ? '' : `您是想用 ${mistake.meant} 吗？`}可选：${MODES}。如果它属于消息内容，请把消息放进引号。`
    case 'too_much':
      return `${prefix}${mistake.name} 后面不需要“${mistake.written}”。用法见 ${prefix}help。`
  }
}

function actionLine(action: SessionAction, locale: Locale): string {
  const { label, about } = saySessionAction(action, locale)
  return locale === 'en' ? `${label}. ${about}` : `${label}。${about}`
}

function timeOf(seconds: number, units: { h: string; min: string; s: string }): string {
  const [h, min, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  if (h > 0) return `${h} ${units.h} ${min} ${units.min}`
  return min > 0 ? `${min} ${units.min} ${s} ${units.s}` : `${s} ${units.s}`
}

const WORDS: Readonly<Record<Locale, TalkWords>> = { en: EN, zh: ZH }

export function talkWords(locale: Locale): TalkWords {
  return WORDS[locale]
}

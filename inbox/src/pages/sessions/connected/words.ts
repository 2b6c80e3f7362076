/** What is said of sessions whose calls come from outside, in English and Chinese. */
import { translatedWords } from '../../../words/translated-words.ts'

interface ConnectedWords {
  title: string
  about: string
  /** With the command that connects one. */
  none: string
  all(count: number): string
  heard(when: string): string
  began(when: string): string
  facts: {
    folder: string
    noFolder: string
    session: string
    began: string
    heard: string
    parent: string
  }
  chat: string
  waiting(count: number): string
  nothingWaits: string
  moreWaiting(count: number): string
  grants: string
  calls: string
  noCalls: string
  end: string
  endConfirm: string
  endSure: string
}

export const CONNECTED_WORDS = translatedWords<ConnectedWords>(
  {
    title: 'Connected agents',
    about:
      'Claude Code, Codex, opencode, MCP servers and programs that are connected to this server. They run on their own machines. Here you see their calls, decide their requests, and can end a session.',
    none: 'No connected agent has made a call yet. `banksman connect claude-code` connects one.',
    all: (count) => `Show all ${count}`,
    heard: (when) => `last heard ${when}`,
    began: (when) => `began ${when}`,
    facts: {
      folder: 'Folder',
      noFolder: "It hasn't named one.",
      session: 'Session',
      began: 'Began',
      heard: 'Last heard',
      parent: 'Started by session',
    },
    chat: 'Open the conversation',
    waiting: (count) => (count === 1 ? '1 pending request' : `${count} pending requests`),
    nothingWaits: 'No pending requests.',
    moreWaiting: (count) => `${count} more in the inbox`,
    grants: 'Grants for this session',
    calls: 'Calls and decisions',
    noCalls: 'No calls on record.',
    end: 'End session for good',
    endConfirm: 'End it for good',
    endSure:
      "Pending requests are cancelled, running calls are told to stop, and every later call of this session is refused. It can't be undone. A new session of the agent isn't affected.",
  },
  {
    title: '已接入的智能体',
    about:
      '已接入本服务器的 Claude Code、Codex、opencode、MCP 服务器和其他程序。它们在各自的机器上运行，您可以在这里查看调用、处理请求、终止会话。',
    none: '还没有已接入的智能体发来调用。运行 `banksman connect claude-code` 即可接入一个。',
    all: (count) => `显示全部 ${count} 个`,
    heard: (when) => `最近活动：${when}`,
    began: (when) => `开始：${when}`,
    facts: {
      folder: '文件夹',
      noFolder: '调用中没有说明。',
      session: '会话',
      began: '开始时间',
      heard: '最近活动',
      parent: '上级会话',
    },
    chat: '查看对话',
    waiting: (count) => `${count} 个待处理的请求`,
    nothingWaits: '没有待处理的请求。',
    moreWaiting: (count) => `另有 ${count} 个，到“请求”页处理`,
    grants: '本会话的授权',
    calls: '调用与决定',
    noCalls: '没有调用记录。',
    end: '终止会话',
    endConfirm: '确认终止',
    endSure:
      '待处理的请求会被取消，执行中的调用会收到停止通知，此会话之后的调用一律拒绝。此操作无法撤销。智能体新开的会话不受影响。',
  },
)

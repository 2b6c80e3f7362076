import type { SessionsWords } from './words.ts'

export const SESSIONS_ENGLISH: SessionsWords = {
  about: 'Agents that work in a folder in the background. They ask you when something needs approval.',
  show: 'Show',
  shown: { open: 'Open', all: 'All mine', everyone: "Everyone's" },
  nothing: {
    open: 'No open sessions. Start one: choose a folder and say what to do there.',
    all: 'No sessions yet. Start one: choose a folder and say what to do there.',
    everyone: 'There are no open sessions.',
  },
  absent: {
    title: "Coding sessions aren't set up on this server",
    explain:
      'Agents can work in your folders in the background. Say what to do, and carry on with something else. You are told when a session is done, has failed, or needs your approval, here and in your chats.',
    steps: [
      'Add `secretary:` to banksman.yaml, with the folders that sessions may work in:',
      'Run `banksman trust`, and restart the server.',
    ],
    example: 'secretary:\n  folders: [~/shop]',
    then: 'Sessions use the Claude Agent SDK (`npm install @anthropic-ai/claude-agent-sdk`). To use the engine that comes with Banksman, add `engine: loop`.',
  },
  lost: 'Connection lost. This may be out of date.',
  untitled: 'No messages yet',
  owner: (who) => `started by ${who}`,
  lasting(ms) {
    const seconds = Math.floor(ms / 1000)
    if (seconds < 60) return `${seconds} s`
    const minutes = Math.floor(seconds / 60)
    if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
    const hours = Math.floor(minutes / 60)
    if (hours >= 48) return `${Math.floor(hours / 24)} days`
    return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  },
  doing: {
    tool: 'Running',
    thinking: 'The model is working',
    nothing: 'Waiting for its first message.',
    unknown: 'Loading…',
    over: (status, when) => `Last turn: ${status}, ${when}`,
    asleep: 'Asleep. The next message wakes it.',
    closed: 'Closed. The next message opens it again.',
    ended: 'Ended. It takes no more messages.',
  },
  reason: 'Reason: ',
  colon: ': ',
  said: 'Last message',
  saidCut: '(the end of it)',
  calls: (count) => (count === 1 ? '1 tool call' : `${count} tool calls`),
  noCalls: 'No tool calls',
  waiting: {
    title: (count, waitsFor) =>
      waitsFor === 'answer'
        ? count === 1
          ? 'Needs your answer'
          : `${count} questions need your answer`
        : count === 1
          ? 'Needs your approval'
          : `${count} requests need your approval`,
    since: (lasting) => `waiting ${lasting}`,
    look: 'Review',
    open: 'Open the request',
    sheet: 'Request',
    close: 'Close',
  },
  used: {
    title: 'Used',
    turns: (used, limit) =>
      limit === undefined ? (used === 1 ? '1 turn' : `${used} turns`) : `${used} of ${limit} turns`,
    worked: (used, limit) => (limit === undefined ? `${used} worked` : `${used} of ${limit} worked`),
    cost: (used, limit) => (limit === undefined ? dollars(used) : `${dollars(used)} of ${dollars(limit)}`),
  },
  actions: {
    title: 'What you can do',
    message: 'Message',
    noMessage: 'Hide',
    stopping: 'Stopping…',
    closeConfirm: 'Close it',
    open: 'Open session',
  },
  fresh: {
    button: 'New session',
    title: 'New session',
    folder: 'Folder',
    folderHint: 'Sessions may work in these folders and their subfolders.',
    otherFolder: 'A subfolder…',
    path: 'Folder path',
    pathHint: 'A full path, or the last part of a configured folder.',
    message: 'What to do',
    messageHint: 'Optional. Without it, the session waits for your first message.',
    mode: 'What runs without approval',
    start: 'Start',
    startIn: (mode) => `Start in ${mode}`,
    cancel: 'Cancel',
  },
  opened: {
    back: 'Sessions',
    facts: 'Progress',
    missing: "This session doesn't exist, or you don't have access to it.",
  },
}

function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? 'less than $0.01' : `$${amount.toFixed(2)}`
}

import type { SessionsWords } from './words.ts'

export const SESSIONS_ENGLISH: SessionsWords = {
  about: 'Agents that work in a folder in the background. You are asked where the policy says so.',
  show: 'Which to show',
  shown: { open: 'Open', all: 'With closed', everyone: "Everyone's" },
  nothing: {
    open: 'No session is open. Start one: say in which folder, and what is to be done there.',
    all: 'There are no sessions yet. Start one: say in which folder, and what is to be done there.',
    everyone: 'Nobody has a session open.',
  },
  absent: {
    title: 'This server has no coding sessions',
    explain:
      'The secretary looks after agents that work in your folders in the background. You say what is to be done, and go on with something else. It speaks up when a session is done, has failed, or needs your approval, here and in your chats.',
    steps: [
      'Write `secretary:` into banksman.yaml, with the folders in which sessions may work:',
      'Run `banksman trust`, and start the server again.',
    ],
    example: 'secretary:\n  folders: [~/shop]',
    then: 'The engine is the Claude Agent SDK (`npm install @anthropic-ai/claude-agent-sdk`), or with `engine: loop` the one that comes with Banksman.',
  },
  lost: 'This is what was known when the server last answered.',
  untitled: 'Nothing was said yet',
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
  waitsForYou: 'waits for you',
  doing: {
    tool: 'Runs',
    thinking: 'The model is working',
    nothing: 'It waits for its first message.',
    unknown: 'Loading…',
    over: (status, when) => `Last turn: ${status}, ${when}`,
    asleep: 'Nothing of it runs. The next message wakes it.',
    closed: 'The next message opens it again.',
    ended: 'Nothing more can be said in it.',
  },
  reason: 'Reason:',
  said: 'What it said last',
  saidCut: '(the end of it)',
  calls: (count) => (count === 1 ? '1 tool call' : `${count} tool calls`),
  noCalls: 'No tool calls',
  waiting: {
    title: (count) => (count === 1 ? 'It waits for an answer' : `It waits for ${count} answers`),
    since: (lasting) => `for ${lasting}`,
    look: 'Look and decide',
    open: 'Open the request',
    sheet: 'What it asks',
    close: 'Close',
  },
  used: {
    title: 'Used',
    turns: (used, limit) =>
      limit === undefined ? (used === 1 ? '1 turn' : `${used} turns`) : `${used} of ${limit} turns`,
    worked: (used, limit) => (limit === undefined ? `worked ${used}` : `worked ${used} of ${limit}`),
    cost: (used, limit) => (limit === undefined ? dollars(used) : `${dollars(used)} of ${dollars(limit)}`),
  },
  actions: {
    title: 'What you can do',
    message: 'Message',
    noMessage: 'Hide',
    stop: 'Stop',
    stopping: 'Stopping…',
    close: 'Close',
    closeConfirm: 'Close it',
    closeExplain: 'It leaves the list, and its process ends. The next message opens it again.',
    closeRunning:
      'It is at work: that is stopped, and what waits is withdrawn. It leaves the list, and the next message opens it again.',
    open: 'Open',
  },
  fresh: {
    button: 'New session',
    title: 'New session',
    folder: 'Folder',
    folderHint: 'Sessions may work in these folders and below them.',
    otherFolder: 'A folder below one of them…',
    path: 'Path of the folder',
    pathHint: 'A whole path, or the last part of the name of one of the folders in the configuration.',
    message: 'What is to be done',
    messageHint: 'Without it the session waits for your first message.',
    mode: 'What runs without asking',
    start: 'Start',
    startIn: (mode) => `Start in ${mode}`,
    cancel: 'Cancel',
  },
  opened: {
    back: 'Sessions',
    facts: 'How far it is',
    missing: "This session doesn't exist, or you don't have access to it.",
  },
}

function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? 'less than $0.01' : `$${amount.toFixed(2)}`
}

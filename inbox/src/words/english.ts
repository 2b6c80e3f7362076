import type { InboxWords } from './words.ts'

export const ENGLISH: InboxWords = {
  otherLanguage: '中文',
  pending: 'Waiting for an answer',
  question: 'Question',
  recent: 'Recent',
  nothingPending: 'Nothing is waiting. New requests appear here by themselves.',
  nothingRecent: 'Nothing was decided lately.',
  loading: 'Loading…',
  morePending: 'More requests are waiting than are listed here.',
  chooseOne:
    'When an agent wants to do something that the policy leaves to people, it waits here for your answer. Choose a request to see the whole call and decide.',
  notThere: 'There is no such request, or it is not for you to see.',
  back: 'Back to the list',
  keys: 'Keys: j and k move, Enter opens, a goes to Approve (Enter confirms), r rejects with a reason, Esc goes back.',
  logOut: 'Log out',
  login: {
    title: 'Log in',
    explain:
      'Open the link that the server printed when it started, or paste its code. `banksman login` makes a new one.',
    code: 'Login code',
    submit: 'Log in',
    again: 'Try again',
    asked: (subject) => `You are logged in as ${subject}`,
    askedHint:
      'The link that was opened logs this browser in anew, perhaps as somebody else. Use it only if it is yours.',
    stay: (subject) => `Stay ${subject}`,
    useLink: 'Use the link',
  },
  connection: {
    lost: 'The connection is lost. What you see may be out of date; it is tried again by itself.',
    refused: 'The server does not answer as it should.',
    retry: 'Try now',
  },
  timeLeft(ms) {
    const seconds = Math.ceil(ms / 1000)
    if (seconds < 60) return `${seconds} s left`
    const minutes = Math.floor(seconds / 60)
    if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s left`
    const hours = Math.floor(minutes / 60)
    if (hours < 48) return `${hours} h ${minutes % 60} min left`
    return `${Math.floor(hours / 24)} days left`
  },
  timeUp: 'time is up',
  severity: { low: 'low severity', normal: 'normal severity', high: 'high severity', critical: 'critical' },
  state: {
    pending: 'waiting',
    approved: 'approved, not yet run',
    running: 'running',
    unknown: 'outcome unknown',
    done: 'done',
    lapsed: 'approved, never run',
    cancelled: 'cancelled',
    rejected: 'rejected',
    answered: 'answered',
    declined: 'declined',
    terminated: 'session ended',
    expired: 'expired: nobody answered in time',
    unreachable: 'nobody could be asked',
  },
  decision: {
    approve: 'Approve',
    edit: 'Edit',
    reject: 'Reject',
    respond: 'Respond',
    terminate: 'End session',
    answer: 'Answer',
  },
  decided: {
    approve: 'approved',
    edit: 'approved with changes',
    reject: 'rejected',
    respond: 'responded',
    terminate: 'ended the session',
    answer: 'answered',
  },
  scope: { once: 'Just once', session: 'In this session', always: 'Always' },
  sending: 'Sending…',
  form: { cancel: 'Cancel' },
  call: { warnings: 'Look closely' },
  result: {
    you: 'You',
    outcome: (ok) => (ok ? 'It ran' : 'It failed'),
  },
  settled: {
    title: 'Settled without asking',
    allowed: 'allowed',
    denied: 'denied',
    granted: 'allowed by an earlier approval',
  },
  news: {
    arrived: (summary) => `New request: ${summary}`,
    changed: (summary, state) => `${summary}: ${state}`,
  },
  failure: (code) => FAILURES.get(code),
}

const FAILURES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable: 'The server can not be reached.',
    unauthenticated: 'You need to log in again.',
    not_yours: 'Others decide this request.',
    already_decided: 'Someone else was first.',
    expired: 'It expired before your answer came.',
    cancelled: 'It was cancelled before your answer came.',
    digest_mismatch: 'The request has changed. Look at it again.',
    uncover_first: 'Uncover the hidden value first.',
    edit_denied: 'The policy denies your version of the call.',
    arguments_invalid: "The arguments don't fit the tool.",
  }),
)

/** Words that all of the inbox shares. Those for states, decisions and outcomes are in `src/display/words/`. */
import type { InboxWords } from './words.ts'

export const ENGLISH: InboxWords = {
  otherLanguage: '中文',
  pending: 'Needs your approval',
  question: 'Question',
  recent: 'Recent',
  nothingPending: 'No pending requests. New ones appear here by themselves.',
  nothingRecent: 'No recent decisions.',
  loading: 'Loading…',
  morePending: 'More requests are pending than this list shows.',
  chooseOne: 'Calls that need approval appear here. Choose one to see the whole call and decide.',
  notThere: "This request doesn't exist, or you don't have access to it.",
  back: 'Back to the list',
  keys: 'Keys: j and k move, Enter opens, a goes to Approve (Enter confirms), r rejects with a reason, Esc goes back.',
  logOut: 'Log out',
  login: {
    title: 'Log in',
    link: 'You need a login link. It works once, within 15 minutes, and keeps this browser logged in.',
    yours: 'You run this server',
    yoursHow:
      'Open the link that it printed when it started. For a new one, run `banksman login` in the folder where you started it (in a clone: `npx banksman login`).',
    others: 'Somebody else runs it',
    othersHow: 'Ask the person who gave you this address for a link of your own. You can send them this:',
    request: (url) =>
      `Please run \`banksman login --subject my-name --new\` on the server of ${url}, with my name in place of my-name, and send me the link.`,
    code: 'Login link or code',
    submit: 'Log in',
    again: 'Try again',
    asked: (subject) => `You are logged in as ${subject}`,
    askedHint:
      'The link you opened logs this browser in again, possibly as somebody else. Use it only if it is yours.',
    stay: (subject) => `Stay ${subject}`,
    useLink: 'Use the link',
  },
  connection: {
    lost: 'Connection lost. This page may be out of date. Reconnecting…',
    refused: 'Unexpected response from the server.',
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
  scope: { once: 'Just once', session: 'In this session', always: 'Always' },
  sending: 'Sending…',
  tooEarly: 'This only just appeared. Try again.',
  form: { cancel: 'Cancel' },
  call: { warnings: 'Look closely' },
  you: 'You',
  sentences: (...said) => said.filter(Boolean).join(' '),
  list: (items) => items.join(', '),
  autoDecided: 'Decided automatically',
  news: {
    arrived: (summary) => `New request: ${summary}`,
    changed: (summary, state) => `${summary}: ${state}`,
  },
  failure: (code) => FAILURES.get(code),
}

const FAILURES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable: "The server isn't answering.",
    unauthenticated: 'You need to log in.',
    not_yours: 'Others decide this request.',
    already_decided: 'Someone else answered first.',
    expired: 'It expired before you answered.',
    cancelled: 'It was cancelled before you answered.',
    digest_mismatch: 'The request has changed. Look at it again.',
    uncover_first: 'Uncover the hidden value first.',
    edit_denied: 'The policy denies your version of the call.',
    arguments_invalid: "The arguments don't fit the tool.",
  }),
)

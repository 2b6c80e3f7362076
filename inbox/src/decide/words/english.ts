import type { DecideWords } from './words.ts'

const duration = {
  '15m': 'for 15 minutes',
  '1h': 'for an hour',
  '8h': 'for 8 hours',
  '1d': 'for a day',
  '7d': 'for a week',
  '30d': 'for 30 days',
} as const

const times = (uses: number) => (uses === 1 ? 'one more time' : `${uses} more times`)

const bounds: DecideWords['grant']['left'] = (where, until, uses) =>
  [
    ...(uses === undefined ? [] : [times(uses)]),
    ...(until === '' ? [] : [duration[until]]),
    where === 'session' ? 'in this session' : 'in every session',
  ].join(' ')

const AGAIN = 'Nothing was recorded: it still waits, and what you wrote is still here.'

export const DECIDE_ENGLISH: DecideWords = {
  title: 'Your decision',
  notYours: 'You may see this request, but others decide it.',
  reloading: 'The request is being loaded as it is now. It can be decided once it is here.',
  back: 'Back',
  again: 'Try again',
  notLoaded: 'This part could not be loaded. Is the server there?',
  covered: {
    first: 'Uncover the hidden value before you approve: it may be something that runs.',
    elsewhere: "It can't be approved here: a hidden value has to be uncovered on its own page.",
    open: 'Open it',
  },
  putOff: {
    open: 'Put off',
    label: 'Put off for how long?',
    until: { minutes: '10 minutes', hour: 'an hour', morning: 'until tomorrow morning' },
    deadline: 'It comes back a minute before its time is up at the latest. The agent goes on waiting.',
    forNow: 'It comes back by itself. The agent goes on waiting.',
  },
  next: {
    one: 'Next',
    count: (left) => (left === 1 ? '1 more waits' : `${left} more wait`),
  },
  unsent: 'What you had written, which was not sent',
  confirm: {
    title: 'Approve this?',
    editTitle: 'Approve your version?',
    runs: 'What will happen',
    asked: 'In this line',
    verdict: { ask: 'asked', deny: 'denied' },
    leaves: (words) => `Also, later calls are let through without asking: ${words}.`,
    haveRead: 'I have read it',
    approve: 'Yes, approve',
  },
  votes: {
    needed: (after) =>
      `Your approval counts as one. After it ${after === 1 ? '1 more is' : `${after} more are`} needed.`,
    last: 'Your approval is the last one that is needed.',
    given: (missing) =>
      `You have approved it, and that counts. ${missing === 1 ? '1 more is' : `${missing} more are`} needed.`,
    yes: (names) => `Approved by ${names}.`,
    fell: (by) => `${by} has changed the call. What was approved before no longer counts.`,
    narrowest: 'If approvers allow different things, the narrowest applies.',
  },
  reject: {
    label: 'Reason',
    hint: 'It goes back to the agent, which thinks again. You may leave it empty.',
    ready: 'Ready-made reasons',
    reasons: ['Too dangerous', 'Not now', 'Wrong target', 'Do it another way: ', 'Ask me first next time'],
    unfinished: 'Finish the sentence: say what the agent should do instead.',
    noReason: "This agent can't be told a reason.",
  },
  respond: {
    label: 'Your response',
    hint: "It takes the place of the tool's result. The tool does not run.",
  },
  sendKey: 'Ctrl+Enter sends it.',
  terminate: {
    warning: (session) => `This ends the session ${session} and all that it started. It can't be taken back.`,
    waiting: (count) =>
      count === 1
        ? 'This is its only pending request. It will be cancelled.'
        : `It has ${count} pending requests, including this one. They will be cancelled.`,
    started: 'What is running is told to stop, and later calls are refused.',
    confirm: 'End the session',
  },
  grant: {
    holds: 'Holds',
    exact: 'exactly this call',
    span: { once: 'just once', session: 'in this session', always: 'always' },
    times: (uses) => (uses === undefined ? 'a number of times' : times(uses)),
    duration,
    approve: (where, until, uses) =>
      where === 'always' && until === '' && uses === undefined
        ? 'Approve, and always allow'
        : `Approve, and allow ${bounds(where, until, uses)}`,
    left: bounds,
  },
  question: {
    ownAnswer: 'Your own answer',
    ownOnly: 'Your answer',
    missing: 'This one has no answer yet.',
    several: 'Choose one or more.',
    one: 'Choose one.',
  },
  counts: (code) => COUNTS.get(code) ?? '',
  recordedBy: (who, what) => `What counts: ${who} ${what}.`,
}

const COUNTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable:
      'It is not known whether your answer arrived. What you wrote is still here; a repeated answer counts once.',
    edit_denied: AGAIN,
    arguments_invalid: AGAIN,
    invalid_decision: AGAIN,
    not_canonical: AGAIN,
    not_yours: AGAIN,
    scope_not_allowed: AGAIN,
    decision_not_allowed: AGAIN,
    digest_mismatch: AGAIN,
    uncover_first: AGAIN,
    too_large: AGAIN,
    store_unavailable: AGAIN,
    store_full: AGAIN,
    closed: AGAIN,
    already_decided: 'Your answer was not recorded.',
    not_pending: 'Your answer was not recorded.',
    expired: 'Your answer was not recorded, and the call does not run.',
    cancelled: 'Your answer was not recorded, and the call does not run.',
    session_ended: 'Your answer was not recorded, and the call does not run.',
  }),
)

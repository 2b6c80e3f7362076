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

const AGAIN = 'Nothing was recorded. The request is still pending, and your text is still here.'

export const DECIDE_ENGLISH: DecideWords = {
  title: 'Your decision',
  notYours: 'You can see this request, but you can’t decide it.',
  reloading: 'Reloading the request. You can decide once it is up to date.',
  back: 'Back',
  again: 'Try again',
  notLoaded: 'Couldn’t load this part. Is the server running?',
  covered: {
    first: 'Uncover the hidden value before you approve: it may be part of what runs.',
    elsewhere: "Can't be approved here: uncover the hidden value on the request's own page first.",
    open: 'Open it',
  },
  snooze: {
    open: 'Snooze',
    label: 'Snooze for how long?',
    until: { minutes: '10 minutes', hour: 'an hour', morning: 'until tomorrow morning' },
    deadline: 'It comes back at least a minute before it expires. The agent keeps waiting.',
    forNow: 'It comes back by itself. The agent keeps waiting.',
  },
  next: {
    one: (left) => `Next (${left})`,
    count: (left) => `${left} more pending`,
  },
  more: 'More',
  read: { first: 'Read to the end to approve.', on: 'Read on ↓' },
  remember: { open: 'Approve and remember', title: 'Approve and remember' },
  unsent: 'Your unsent text',
  confirm: {
    title: 'Approve this?',
    editTitle: 'Approve your version?',
    runs: 'What will happen',
    leaves: (words) => `Later calls won't need approval: ${words}.`,
    haveRead: 'I have read it',
    approve: 'Yes, approve',
  },
  votes: {
    needed: (after) =>
      `Your approval counts as one. ${after === 1 ? '1 more is' : `${after} more are`} needed after it.`,
    last: 'Your approval is the last one needed.',
    given: (missing) => `You approved. ${missing === 1 ? '1 more is' : `${missing} more are`} needed.`,
    yes: (names) => `Approved by ${names}.`,
    fell: (by) => `${by} changed the call. Earlier approvals no longer count.`,
    narrowest: 'If approvers allow different things, the narrowest applies.',
  },
  reject: {
    label: 'Reason',
    hint: 'Optional. The agent reads it and can try something else.',
    ready: 'Ready-made reasons',
    reasons: ['Too dangerous', 'Not now', 'Wrong target', 'Do it another way: '],
    unfinished: 'Finish the sentence: say what the agent should do instead.',
    noReason: "This agent can't be told a reason.",
  },
  respond: {
    label: 'Your response',
    hint: "The agent gets it as the tool's result. The tool doesn't run.",
  },
  sendKey: 'Ctrl+Enter sends it.',
  terminate: {
    warning: (session) => `This ends “${session}” and every session it started.`,
    waiting: (count) =>
      count === 1
        ? 'This is its only pending request. It will be cancelled.'
        : `It has ${count} pending requests, including this one. They will be cancelled.`,
    started: 'Running calls are told to stop, and later calls are refused.',
  },
  grant: {
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
    missing: 'Not answered yet.',
    several: 'Choose one or more.',
    one: 'Choose one.',
  },
  counts: (code) => COUNTS.get(code) ?? '',
  recordedBy: (who, what) => `Recorded: ${who} ${what}.`,
}

const COUNTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable:
      'Your answer may not have arrived. Your text is still here. You can send it again: it counts once.',
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
    expired: "Your answer was not recorded, and the call doesn't run.",
    cancelled: "Your answer was not recorded, and the call doesn't run.",
    session_ended: "Your answer was not recorded, and the call doesn't run.",
  }),
)

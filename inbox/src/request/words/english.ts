import type { RequestPageWords } from './words.ts'

export const REQUEST_ENGLISH: RequestPageWords = {
  heading: {
    quorum: (given, needed) => `${given} of ${needed} approvals`,
  },
  notes: {
    edited: (by) => `${by} changed the arguments. This is the changed call.`,
    policyChanged: 'The policy has changed since the agent asked. This page shows what it says now.',
    factsChanged:
      'Files in this call have changed since the agent asked. If you approve now, it may still be refused, and the agent has to ask again.',
    nowDenied: 'The policy now denies this call: it will not run, even if you approve it.',
    nowAllowed: 'The policy now allows this call without approval.',
    erased: 'The arguments were erased after their retention time.',
  },
  call: {
    title: 'The call',
    none: 'No arguments.',
    moreRows: (next, left) => `Show ${count(next)} more lines (${count(left)} left)`,
    seeWhole: 'Show all of it',
    hideWhole: 'Show less',
  },
  line: {
    label: 'The command line',
    walk: 'Left and right arrows move between commands.',
    verdict: { allow: 'allowed', ask: 'needs approval', deny: 'denied', unsure: "can't be checked" },
    commands: 'The commands of this line',
    through: (names) => `inside ${names}`,
    rule: (name) => `rule ${name}`,
    rest: (allowed, asked, denied) =>
      `Show ${[
        ...(denied > 0 ? [`${count(denied)} more denied`] : []),
        ...(asked > 0 ? [`${count(asked)} more that ${asked === 1 ? 'needs' : 'need'} approval`] : []),
        ...(allowed > 0 ? [`${count(allowed)} allowed ${plural(allowed, 'command')}`] : []),
      ].join(', ')}`,
    fewer: 'Show fewer',
    doubts: "Can't be checked",
    doubt: (because) => `can't be checked: ${because}`,
    moreDoubts: (more) => `and ${count(more)} more, marked in the line`,
  },
  diff: {
    count: (added, removed) => `${count(added)} ${plural(added, 'line')} added, ${count(removed)} removed`,
    added: 'added',
    removed: 'removed',
    unchanged: (lines) => `${count(lines)} unchanged ${plural(lines, 'line')}`,
    leftOut: (lines) => `${count(lines)} ${plural(lines, 'line')} left out`,
    incomplete: 'Too different to compare line by line: all of the old, then all of the new.',
    unterminated: 'no line break at the end',
  },
  tree: {
    keys: (keys) => `${count(keys)} ${plural(keys, 'key')}`,
    items: (items) => `${count(items)} ${plural(items, 'item')}`,
    more: (next, left) => `Show ${count(next)} more (${count(left)} left)`,
  },
  whole: {
    title: 'All arguments',
    reveal: 'Show masked values (this is recorded)',
    revealed: 'All arguments, unmasked',
  },
  uncover: {
    title: (values) =>
      values === 1
        ? 'A value is hidden because of its name'
        : `${values} values are hidden because of their names`,
    why: 'It may be no secret at all, but part of what runs. Uncover it before you approve. It is recorded that you looked.',
    done: 'You uncovered it, so you can approve. It is recorded that you looked.',
    button: 'Uncover',
    again: 'Uncover again',
    shown: 'The hidden values',
  },
  why: {
    title: 'Why it needs approval',
    titleOver: 'Why it needed approval',
    mcpChange: 'See what changed',
    says: 'Policy',
    rule: 'Rule',
    kind: { allow: 'allows', ask: 'requires approval', deny: 'denies' },
    maybe: 'may match (unknown until it runs)',
    builtIn: 'built-in',
    about: 'About',
    approvers: 'Who may approve',
    needed: (needed, names) =>
      needed > 1 ? `${needed} approvals, from: ${names}` : `one approval, from: ${names}`,
    group: (name) => `group ${name}`,
    owner: 'the owner',
    given: 'Approved so far',
    open: 'Waiting for',
    nobody: 'nobody',
    others: (rules) => (rules === 1 ? '1 other matching rule' : `${rules} other matching rules`),
    unknownTool: "The policy doesn't know this tool.",
  },
  doing: {
    title: 'Earlier in this session',
    agentSays: 'The agent says (unverified)',
    before: 'Just before this call',
    conversation: 'Open the conversation',
    session: 'Open the session',
  },
  earlier: {
    title: 'Earlier decisions',
    none: 'No similar call was decided before.',
    likeness: { same: 'the same call', alike: 'a call like it', tool: 'the same tool' },
    undecided: 'nobody decided',
  },
  particulars: {
    title: 'Details',
    origins: 'About this request',
    id: 'Request',
    callId: 'Call',
    session: 'Session',
    agent: 'Agent',
    submittedBy: 'Submitted by',
    follows: 'Follows request',
    createdAt: 'Requested at',
    tool: 'Tool',
    origin: 'Origin',
    digest: 'Digest',
    rules: 'Rules',
  },
  votes: {
    soFar: 'Approved so far',
    approved: 'Approved by',
    before: 'Approved earlier by',
    edited: 'changed the arguments',
  },
  result: {
    by: (who, what, when) => `${who} ${what}, ${when}`,
    elsewhere: 'Decided elsewhere.',
    tooLate: 'Your answer was not recorded.',
    late: 'The report came late.',
    outcomeBy: (source, when) => `${source}, ${when}`,
    cancelledBy: (who) => `Cancelled by ${who}`,
    lapsesAt: (when) => `The approval is valid until ${when}.`,
    stopped: (who) => `Stopped by ${who}.`,
  },
  settle: {
    title: 'How did it go?',
    explain: 'Check what the call did, then report it. Your report is recorded under your name.',
    note: 'What you found (optional)',
    ok: 'It worked',
    error: "It failed or didn't run",
    sending: 'Sending…',
  },
}

function count(value: number): string {
  return value.toLocaleString('en')
}

function plural(value: number, word: string): string {
  return value === 1 ? word : `${word}s`
}

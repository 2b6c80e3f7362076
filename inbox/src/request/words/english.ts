import type { RequestPageWords } from './words.ts'

export const REQUEST_ENGLISH: RequestPageWords = {
  heading: {
    agent: 'Asked by',
    session: (name) => `session ${name}`,
    quorum: (given, needed) => `${given} of ${needed} approvals`,
  },
  notes: {
    edited: (by) => `${by} has changed the arguments. You see the changed ones.`,
    policyChanged: 'The policy has changed since this was asked. What is said here is what it says now.',
    factsChanged:
      'The files that this is about have changed since it was asked. If it is approved now, it may be refused when it is to run; the agent then has to ask again.',
    nowDenied: 'The policy denies this call now: even if it is approved, it will not run.',
    nowAllowed: 'The policy would allow this call now without asking.',
    erased: 'The arguments were erased after their retention time.',
  },
  call: {
    title: 'The call',
    none: 'It has no arguments.',
    moreRows: (next, left) => `Show ${count(next)} more lines (${count(left)} left)`,
    seeWhole: 'See it whole',
    hideWhole: 'Hide the whole value',
  },
  line: {
    label: 'The command line',
    walk: 'Left and right go from command to command.',
    verdict: { allow: 'allowed', ask: 'asks', deny: 'denied' },
    commands: 'What the policy says of each command',
    through: (names) => `inside ${names}`,
    rule: (name) => `rule ${name}`,
    rest: (allowed, asked, denied) =>
      `Show ${[
        ...(denied > 0 ? [`${count(denied)} more denied`] : []),
        ...(asked > 0 ? [`${count(asked)} more asked about`] : []),
        ...(allowed > 0 ? [`${count(allowed)} that ${allowed === 1 ? 'is' : 'are'} allowed`] : []),
      ].join(', ')}`,
    fewer: 'Show fewer',
    doubts: 'Nobody can vouch for',
    doubt: (because) => `can't be vouched for: ${because}`,
    moreDoubts: (more) => `and ${count(more)} more, marked in the line`,
  },
  diff: {
    count: (added, removed) => `${count(added)} added, ${count(removed)} removed`,
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
    reveal: 'Show what is masked (this is put on the record)',
    revealed: 'All arguments, without masks',
  },
  uncover: {
    title: (values) =>
      values === 1
        ? 'A value is hidden because of its name'
        : `${values} values are hidden because of their names`,
    why: "It isn't plainly a secret and may be something that runs. Read it before you approve. It is put on the record that you looked.",
    done: 'You have uncovered it, so you can approve. That you looked is on the record.',
    button: 'Uncover',
    again: 'Uncover again',
    shown: 'The hidden values',
  },
  why: {
    title: 'Why you are asked',
    titleOver: 'Why it was asked',
    says: 'The policy says',
    rule: 'Rule',
    kind: { allow: 'allows', ask: 'asks', deny: 'denies' },
    maybe: 'may match (unknown until it runs)',
    builtIn: 'built in',
    about: 'About',
    approvers: 'Who may approve',
    needed: (needed, names) => (needed > 1 ? `${needed} of: ${names}` : names),
    group: (name) => `the group ${name}`,
    owner: 'the owner',
    given: 'Approved so far',
    open: 'Could still approve',
    nobody: 'nobody',
    others: (rules) => (rules === 1 ? 'One other rule that matches' : `${rules} other rules that match`),
    unknownTool: 'The policy does not know this tool.',
  },
  doing: {
    title: 'What the agent was doing',
    agentSays: "In the agent's own words, which nobody has checked",
    context: 'What it is doing',
    preview: 'Its summary of the call',
    before: 'Just before, in the same session',
    conversation: 'See the conversation',
  },
  earlier: {
    title: 'Decided before',
    none: 'Nobody has decided a call like this before.',
    likeness: { same: 'the same call', alike: 'a call like it', tool: 'the same tool' },
    undecided: 'nobody decided',
  },
  particulars: {
    title: 'Particulars',
    id: 'Request',
    callId: 'Call',
    session: 'Session',
    agent: 'Agent',
    submittedBy: 'Submitted by',
    follows: 'Asked again after',
    createdAt: 'Asked at',
    origin: 'Comes from',
    cwd: 'Working folder',
    digest: 'Digest',
    rules: 'Rules',
  },
  votes: {
    soFar: 'Approved so far',
    approved: 'Approved by',
    before: 'Had been approved by',
    edited: 'changed the arguments',
  },
  result: {
    by: (who, what, when) => `${who} ${what}, ${when}`,
    elsewhere: 'Answered elsewhere.',
    tooLate: 'Your answer was not recorded.',
    late: 'The report came late.',
    outcomeBy: (source, when) => `${source}, ${when}`,
    cancelledBy: (who) => `Cancelled by ${who}`,
    lapsesAt: (when) => `The approval lapses at ${when}.`,
    stopped: (who) => `${who} told it to stop.`,
  },
  settle: {
    title: 'How did it go?',
    explain:
      'Look at what the call was to do, then say what became of it. This is put on the record under your name.',
    note: 'What you found (optional)',
    ok: 'It ran',
    error: 'It failed or did not run',
    sending: 'Sending…',
  },
}

function count(value: number): string {
  return value.toLocaleString('en')
}

function plural(value: number, word: string): string {
  return value === 1 ? word : `${word}s`
}

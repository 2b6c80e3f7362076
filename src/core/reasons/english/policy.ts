/** What is right in a policy but probably not meant. Texts of the policy are values, quoted as in JSON. */
export const POLICY = {
  'did-you-mean': '{why}; did you mean {near}?',
  'list.more': '{names} and {count} more',

  'warn.twice': '{entry} is there twice',
  'warn.stricter': '{entry} has no effect: {other} is stricter and says it already',
  'warn.covered': '{entry} has no effect: {other} covers it',
  'warn.entry': '{entry}: {why}',
  'warn.entry-tool':
    '{entry} is taken as the name of a tool as it stands: no tool {tool} is known. Make it known under tools:',
  'warn.entry-literal':
    '{entry}: "{literal}" means itself; * is the only wildcard, and each pattern is an entry of its own',
  'warn.entry-space': '{entry} begins or ends with a space, which is part of the name',
  'warn.every-command': '{entry} allows every command, whatever it is; {example} allows one',
  'warn.unknown-tools':
    '{entries}: no tool of that name is known. Tools of your own are made known under tools:',
  'warn.bypass': 'mode: bypass allows every tool that no list names, also one that is added later',
  'warn.rule-tool': 'rule {rule}: no tool {tool} is known',
  'warn.test-tool': 'a test is about the tool {tool}, which is not known and which no list and no rule names',
  'warn.test-rule': 'a test names the rule {rule}, which is not there',
  'warn.rule': 'rule {rule} {why}',
  'warn.in-rule': 'rule {rule}: {why}',
  'warn.long': 'this file is too long to be looked through here for gaps; run: banksman policy check',

  'rule.never': 'can never match: {why}',
  'rule.denied': 'has no effect: {entry} denies all that it is about',
  'rule.stricter': 'has no effect: rule {other} is stricter and matches all that it is about',
  'rule.unapprovable': "can't be approved by anyone: allowedDecisions has neither approve nor edit",
  'rule.gap': 'with {pattern}: {why}',
  'never.command': '{tools} runs no shell commands',
  'never.path': '{tools} has no path',
  'never.host': '{tools} has no address',
  'never.kind': '{tools} is not of the kind {kinds}',
  'never.kind-command': 'a tool of the kind {kinds} runs no shell commands',
  'never.parent': 'an agent that was not started by another has no parent',
  'never.bounds': 'no value at {pointer} is within these bounds',
  'never.tool': 'no tool is named by all of its conditions',
  'never.argument': '{tools} has no argument {argument}',

  'value.null':
    'nothing is written after it, which is compared with null; for an argument that is left out write exists: false',
  'value.number': '{value} is a text. If the tool takes a number, write {number} without quotes',
  'value.boolean':
    '{value} is a text, not true or false. If the tool takes true or false, write that without quotes',
  'value.star': '* means itself in {key}; for a wildcard write glob: {value}',
  'value.expression': '{value} is compared as it is; for an expression write regex: {value}',
  'value.space': '{value} begins or ends with a space, which is part of the value',
  'value.list': 'a list in oneOf is compared as a whole; to mean its values, write them in oneOf itself',
  'value.mixed':
    'oneOf has values of several kinds side by side; a tool takes one kind of value, and a value of another kind is never compared for certain',
  'glob.expression': '{value} looks like an expression; write regex: {value}',
  'glob.literal': '"{literal}" means itself in {value}; * is the only wildcard. Several patterns are a list',
  'regex.nothing': 'no text matches {value}',
  'regex.anywhere':
    '{value} is found anywhere in a text, so more is allowed than what it says; anchor it: ^(?:…)$',

  'gap.option':
    'another name of `{options}` would still pass: {why}. Name each spelling, or the command without its options',
  'gap.unknown-option': 'no such option of `{program}` is known here',
  'gap.unknown-program': 'the options of `{program}` are not known here',
  'gap.any-program': 'not of every program are the options known here',
  'gap.words': 'further words would still pass, as in `{example}`. Write `{wider}` to match those too',
  'gap.value': 'rule {rule} has a gap at {pointer}: a call {way}, {end}. {remedy}',
  'gap.with': 'with {values}',
  'gap.without': 'without it',
  'gap.with-or-without': 'with {values}, or without it',
  'gap.allowed': 'is allowed',
  'gap.not-denied': 'is not denied',
  'gap.approvers': "doesn't need these approvers",
  'gap.name-values': 'Name the values that may run, as in {example}',
  'gap.name-harmless':
    'Name the harmless values instead, as in {example}: that also matches every other spelling, and calls without it',

  'people.group': '{name} is a group: write {wanted}',
  'people.nobody':
    'there is no person {name} under people:, and without a token of that name nobody can approve as {name}',
  'people.person': '{name} is a person and no group: write {wanted}',
  'people.empty': 'the group {name} has no members: nobody under people: has it among their groups',
  'people.empty-tokens':
    "the group {name} has no members: nobody under people: has it among their groups, and nobody holds an approver's token that is known here",
  'people.none': 'nobody may approve, so nothing it asks about can run',
  'people.quorum': "quorum {quorum} can't be met: {only}",
  'people.quorum-others':
    "quorum {quorum} can't be met, except in a session that somebody else started: {only}",
  'people.only-one': 'only one person may approve: {who}',
  'people.only': 'only {count} people may approve: {who}',
  'people.unused': 'no rule names the group {group} of {person}',
} as const

/** Mistakes in the text of a policy, and in the YAML around it. Texts of the policy are values, quoted as in JSON. */
export const MISTAKES = {
  'mistake.text': '{text}',
  'mistake.in-file': '{file}:{line}:{column}: {why}',
  'mistake.in-text': 'line {line}, column {column}: {why}',
  'mistake.more': 'and {count} more',

  'found.nothing': 'nothing',
  'found.list': 'a list',
  'found.object': 'an object',
  'found.string': 'a string',
  'found.number': 'a number',
  'found.boolean': 'a boolean',
  'found.other': 'something else',

  'what.policy': 'the policy',
  'what.rule': 'a rule',
  'what.rule-name': 'the name of a rule',
  'what.condition': 'a condition',
  'what.time-window': 'a time window',
  'what.test': 'a test',
  'what.test-call': 'the call of a test',
  'what.test-agent': 'the agent of a test',
  'what.test-origin': 'the origin of a test',
  'what.tool': 'what is said of {tool}',
  'what.path-pattern': 'a path pattern',
  'what.host-pattern': 'a host pattern',
  'what.day-name': 'a day',
  'what.parent': 'a parent',
  'what.approver': 'an approver',
  'what.key': 'key',
  'what.day': 'day',
  'what.extended': 'policy to extend',
  'what.decision': 'decision',
  'what.scope': 'scope',

  'wrong.object': '{what} must be an object with {keys}; found {found}',
  'wrong.unknown': 'unknown {kind} {word} in {what}; allowed are {allowed}',
  'wrong.word': '{what} must be one of {allowed}; found {found}',
  'wrong.text': '{what} must be a text; found {found}',
  'wrong.empty': '{what} is empty; leave it out, or write something',
  'wrong.long': '{what} is {length} characters long; the limit is {limit}',
  'wrong.surrogate': '{what} has a lone surrogate, which no UTF-8 can carry',
  'wrong.list': '{what} must be a list; found {found}',
  'wrong.empty-texts': '{what} is an empty list, which nothing fits; leave it out',
  'wrong.empty-values': '{what} is an empty list; leave it out, or write what is in it',
  'wrong.empty-conditions': '{what} is an empty list; leave it out, or name conditions',
  'wrong.flag': '{what} must be true or false; found {found}',
  'wrong.number': '{what} must be a number; found {found}',
  'wrong.number-quoted': '{what} must be a number; found {found}; write it without quotes',
  'wrong.json': '{what} must be a JSON value: {why}',
  'wrong.plain-json': 'the policy must be plain JSON',
  'wrong.not-json': 'it is not plain JSON',

  'wrong.two-policies':
    'the file has both {key} and {other}, and there can be one policy; leave the one that is meant',
  'wrong.tools': 'tools must be an object from tool names to what they are; found {found}',
  'wrong.command-kind': "command says where a shell's command is; add kind: shell",
  'wrong.edit-path':
    'a tool that edits files needs path: where in its arguments the path is, as in path: /file',

  'wrong.path-backslash': "{pattern}: write / between folders; * and ? can't be written as plain characters",
  'wrong.path-brackets':
    '{pattern}: only *, ** and ? have a meaning here; write several patterns, or ? for a bracket',
  'wrong.path-not': "{pattern}: a pattern can't be turned round with !; write not around it",
  'wrong.path-home': '{pattern}: only ~/ is known, the home folder; write the whole path',
  'wrong.path-up': '{pattern}: .. can only stand at the beginning, before a relative path',
  'wrong.path-stars': '{pattern}: ** must stand alone between slashes, as in {right}',

  'wrong.window-always':
    'the time window would always hold; write from and to such as "09:00" and "17:00", or days',
  'wrong.window-same':
    'from and to are the same time, which could mean never or all day; leave both out for all day',
  'wrong.time':
    '{what} must be a time; found {found}; write the hour and the minute with two digits each and in quotes, such as "09:00"',
  'wrong.day': 'unknown day {word}',
  'wrong.days-empty': 'days is an empty list, and no day is in it; leave it out for every day',
  'wrong.zone':
    'unknown time zone {zone}; write an IANA name such as "Europe/Berlin", or leave it out for UTC',

  'host.right': 'write example.com, *.example.com for all hosts below it, or * for every host',
  'wrong.domain': 'a domain has neither scheme nor port; write {right}',
  'wrong.host-path': '{pattern} has a path, and a host pattern is about the host alone; {right}',
  'wrong.host-user': '{pattern} has a user name, which is no part of the host; {right}',
  'wrong.host-ipv6': '{pattern}: write an IPv6 address in brackets, as in {right}',
  'wrong.host-pattern': '{pattern} is no host pattern; {right}. A * can only stand at the beginning',
  'wrong.host-none': '{pattern} names no host; {right}',
  'wrong.host-port': '{pattern}: a port is at most 65535',

  'wrong.nesting': 'conditions are nested deeper than {limit} levels',
  'wrong.condition': 'a condition must be an object such as {right}; found {found}',
  'wrong.condition-empty':
    'the condition is empty and would hold for every value; to mean that, write {right}',

  'wrong.pointer': 'a JSON pointer such as /environment must be a text; found {found}',
  'wrong.pointer-long': 'the pointer {pointer} is {length} characters long; the limit is {limit}',
  'wrong.pointer-surrogate': "the pointer {pointer} has a lone surrogate, which no argument's name has",
  'wrong.pointer-empty':
    'the pointer is empty and would mean all of the arguments; write /environment for the one',
  'wrong.pointer-slash': 'a JSON pointer begins with a slash: write {right}, not {pointer}',
  'wrong.pointer-tilde': 'the pointer {pointer} has a ~ that is neither ~0 (for ~) nor ~1 (for /)',
  'wrong.pointer-end': 'the pointer {pointer} ends with a slash and would mean a member without a name',
  'wrong.pointer-star': 'the pointer {pointer} has a step *, which stands for every item only under tools:',

  'wrong.moment': 'at must be a moment as in 2026-03-01T09:30:00Z; found {found}',
  'wrong.arguments': 'arguments must be an object; found {found}',
  'wrong.tool-list': '{what} must be a list of tool names, [] for none; found {found}',
  'wrong.tool-name': "{what} must be a tool's name, * for anything; found {found}",
  'wrong.tool-empty': '{what} is empty and would match no tool; write its name, or "*" for every tool',
  'wrong.tool-surrogate': "{what} has a lone surrogate, which no tool's name has",
  'wrong.ask-only': '{key} belongs to rules that ask; this one says then: {then}',
  'wrong.no-when': 'the rule has no when; to mean every call, write when: {right}',
  'wrong.rule-no-when': 'rule {rule} has no when; to mean every call, write when: {right}',
  'wrong.same-name': 'two rules are named {name}; a name tells grants and people which one is meant',
  'wrong.reserved-name':
    "a rule can't be named {name}: names that begin so are those of lists, modes and built-in rules",
  'wrong.approver': 'an approver is written ana, group:sre or owner; found {found}',
  'wrong.no-approvers': 'approvers is empty, and nobody could approve; name someone',
  'wrong.chat':
    'chat names a service and the id of a chat in it, as in telegram:-1001234567890; found {found}',
  'wrong.quorum': 'quorum must be a whole number from 1 to 100; found {found}',
  'wrong.duration':
    '{what} must be a number with a unit: ms, s, m, h or d, as in 15m, at most {days}d; found {found}',

  'wrong.when-empty': 'when is empty, and would hold for every call; to mean that, write {right}',
  'wrong.arguments-map': 'arguments must be an object from JSON pointers to conditions; found {found}',
  'wrong.arguments-none': 'arguments names no argument; leave it out',
  'wrong.two-commands':
    '{pattern} is more than one command, and a pattern is compared with one command at a time: write one for each, as in "git add *" and "git push *"',
  'wrong.unclosed':
    'The command pattern `{pattern}` has a {mark} without its partner. Close it, or write \\{mark} for the character itself.',

  'wrong.entry-open':
    '{entry} begins like {tool}(…) but does not end with the parenthesis; write {tool}(what it is about)',
  'wrong.entry-tool':
    '{entry}: no tool {tool} is known; did you mean {near}(…)? A tool of your own is made known under tools:',
  'wrong.entry-empty': '{entry} says nothing in the parentheses; write {tool} for every call of it',
  'wrong.entry-kind':
    '{entry}: the catalogue does not say what {tool} is, so nothing can be said of its arguments here; give it a kind under tools:, or write a rule with when: {right}',

  'regex.empty': 'the regular expression is empty and would be found in every text',
  'regex.long': 'the regular expression is {length} characters long; the limit is {limit}',
  'regex.surrogate': 'the regular expression has a lone surrogate, which no text has',
  'regex.large':
    'the regular expression {source} comes to {count} instructions; the limit is {limit}. Repetitions such as {example} count as often as they repeat: write * or + in their place, or several rules',
  'regex.syntax': 'the regular expression {source} is not RE2 syntax: {why}',
  'regex.hint': '{why}. {hint}',
  'regex.no-look-around': 'RE2 has no look-around: say it with not or all around two conditions',
  'regex.no-references': 'RE2 has no back-references: name the alternatives one by one',
  'regex.no-atomic': 'RE2 has no atomic groups or possessive repetition: it needs none',
  'regex.slashes': 'Write it without the slashes around it, and /i as (?i)',
  'regex.too-large': 'it is too large',
  'regex.unclear': 'the regular expression is not understood',

  'yaml.quote': 'this quote is never closed; put the same quote at the end of the text',
  'yaml.bracket': 'the {sign} at line {line}, column {column} is not closed',
  'yaml.tab': "a tab can't indent YAML; use spaces",
  'yaml.twice': 'keys must be unique, and this one is here twice; keep one of them',
  'yaml.deep': 'this is nested more than {limit} levels deep',
  'yaml.long':
    'this file has more than {limit} YAML tokens; remove entries, or cover several of them by one pattern',
  'yaml.reference': '{name} is a reference in YAML; to mean the text, put it in quotes: {quoted}',
  'yaml.other': "this can't be read as YAML; the parser says: {why}",
  'yaml.not': 'this is not YAML',
  'file.not-file': 'it is not a file',
  'file.long': 'it is {bytes} bytes long; at most {limit} are read',
  'file.not-text': 'it is not UTF-8 text',
  'file.closed': "it can't be read ({code})",
  'file.closed-unknown': "it can't be read (for a reason that is not known)",
  'file.unreadable': 'it could not be read',
  'file.not-yaml': 'the text could not be read as YAML',
  'key.unknown': 'unknown key {key}. The keys here are {keys}',
  'key.meant': 'unknown key {key}; did you mean {near}? The keys here are {keys}',
  'key.value': '{path} must be {value}',
  'key.one-of': '{path} must be one of {values}',
  'key.top': 'the file must be a list of keys with values: {keys}',
  'key.person': '{path} must be written as in {right}',
  'key.least': '{path} must be at least {limit}',
  'key.most': '{path} must be at most {limit}',
  'key.other': '{path} {why}',
  'key.list': '{path} must be a list',
  'key.kind': '{path} must be of the kind {kind}',
} as const

/** What becomes of another program's policy. Its texts are values, quoted as in JSON. */
export const IMPORTS = {
  'import.dropped': 'dropped: {about}',
  'import.stricter': 'stricter: {about}',
  'import.changed': 'changed: {about}',
  'import.in-file': '{file}: {why}',
  'import.not-json': "{file}: this can't be read as JSON; the parser says: {why}",
  'import.in-file-at': '{file} at {pointer}: {why}',
  'import.none': 'no policy of another program was found; looked for {places}',
  'import.several': 'the file has policies of several programs ({found}); say which one to import',
  'import.differ': 'the file has several that differ: {found}; keep only the one that you want',

  'foreign.object': '{what} must be an object with {keys}; found {found}',
  'foreign.tools': '{what} must be a list of tools; found {found}',
  'foreign.text': '{what} must be a text; found {found}',
  'foreign.one-of': '{what} must be one of {words}; found {found}',
  'foreign.action': 'an action must be allow, ask or deny; found {found}',
  'foreign.actions': '{what} must be allow, ask or deny, or an object; found {found}',
  'foreign.key': 'unknown key {key}; did you mean {near}?',
  'foreign.entry': '{entry} is neither Tool nor Tool(…), so it is unclear what it should stop',
  'codex.not-text': 'the rules must be the text of a *.rules file',
  'codex.long': 'the file is longer than a megabyte',
  'codex.twice': 'line {line}: {key} is given twice',
  'codex.expected': 'line {line}: expected {wanted}, found {found}. Only calls with texts and lists are read',
  'codex.value': 'a text or a list',
  'codex.call': 'a call such as prefix_rule(…)',
  'codex.end': 'the end of the file',
  'codex.argument': '{rule} has the argument {key}, which is not known; known are {keys}',
  'codex.decision': 'the decision of {rule} must be one of {words}',
  'codex.pattern': 'the pattern of {rule} must be a list of words, and not empty',
  'codex.word': 'a word in the pattern of {rule} must be a text or a list of texts',
  'codex.many': 'the pattern of {rule} stands for more than {limit} ways to begin; write several rules',

  'note.entry': '{entry} in {list}',
  'note.entry-of': '{entry} of {of}',
  'note.left-out': '{entry} {why}; it was left out',
  'note.widened': '{entry} {why}; it is about every call of {tool} here',
  'note.gap': '{entry}: {why}',
  'why.path': "has a path that can't be written here",
  'why.skipped': 'is skipped by Claude Code, which allows no parentheses there',
  'why.specifier': 'has a specifier whose meaning is not known here',
  'why.file-tool': 'is ignored by Claude Code, which uses {tool}(…) for files',
  'why.no-domain': 'is not WebFetch(domain:…)',
  'why.no-host': 'names no host: a * can only stand at the beginning here, and there is no port',
  'why.two-commands': 'is more than one command, and here an entry is for one: write an entry for each',
  'why.variable': 'sets a variable for the command, and no entry allows that here',
  'why.program-path': 'names programs by a path with a wildcard, and such programs need approval here',
  'why.star-inside': 'has a * before the one at its end, and would match more here',
  'why.star-early': 'has a * before its end',
  'why.too-long': 'is too long',
  'note.exception': '{entry} takes an exception out of the entries before it, which was not imported',
  'note.only-there':
    '{entry} also covers what is further below; here it is only what is right there. For all of it write {right}',
  'note.wild':
    '{entry} is written with * where its wildcards and signs are not known here, which matches more',
  'note.any-tool':
    '{entry} has a * that may stand for any tool, which Claude Code skips; it was left out. Name the tools, or a server as in mcp__github__*',
  'note.typed': '{entry} is about a command that a person types into Claude Code, and was not imported',
  'note.ignored': '{entry} is ignored by Claude Code; here it applies, as {right}',
  'note.whole-line':
    "{entry} is more than one command, and is compared with the text of the whole line: other ways to write the same don't match. It is better to name the command that matters, as in Bash(curl *)",
  'note.variables': '{entry} is about the command whatever variables are set for it',
  'note.no-tool': '{entry} is neither Tool nor Tool(…), and was left out',
  'note.unknown-key': '{key} is not known here, and was not imported',
  'note.ask-denied':
    'in this mode Claude Code denies what ask names, so the entries of ask are in deny. If you choose another mode, move them back to ask',
  'note.claude-reads':
    'Claude Code reads files in the workspace and runs commands that only read without a rule; here they need approval unless something allows them. `extends: banksman:starter` allows them',
  'note.claude-reads-denied':
    'Claude Code reads files in the workspace and runs commands that only read without a rule; here they are denied unless something allows them. `extends: banksman:starter` allows them',
  'note.instead-of-prompting':
    'denyInsteadOfPrompting denies what would need approval, which is mode: dontAsk here',
  'note.accept-edits':
    'acceptEdits allows edits inside the workspace, but here no shell commands such as mkdir and mv: add those that you want to allow',
  'note.plan':
    'plan allows tools that only read and denies the rest; to leave it, an approver sets the mode of the session',
  'note.auto':
    'in auto a model judges each call, which is not supported here; it becomes mode: default, and a person decides',
  'note.unknown-mode': 'mode {mode} is unknown; it becomes mode: default, which requires approval',
  'note.bypass-off':
    'bypassPermissions is switched off by disableBypassPermissionsMode; it becomes mode: default',
  'note.bypass':
    'bypassPermissions is mode: bypass here: every call that no deny or ask matches runs without approval. Use it only on a machine with nothing else on it; `extends: banksman:starter` with mode: default is safer',
  'note.roots':
    'list further folders of the workspace under roots:, beside policy:, as in roots: [., {folders}]; until then they are outside',

  'note.not-a-key': '{key} is not a key of toolApproval, and LibreChat ignored it too',
  'note.not-enabled':
    'enabled is not true, so LibreChat ran every tool without approval. Here a policy always applies: the lists and the mode are in force. To allow what no list names, write mode: bypass',
  'note.hooks':
    'hooks are programs, not a policy, and were not imported. They could only deny or ask: put what they stopped into deny, ask or rules',
  'note.librechat-mode': 'LibreChat has no mode {mode} and treated it as default; it becomes default here',
  'note.empty-entry': 'an empty entry in {list} names no tool, and was left out',
  'note.literal-allow':
    "{entry} was the literal name of a tool, while here the parentheses are about the tool's arguments, which would allow more; it was left out",
  'note.literal':
    '{entry} was the literal name of a tool; here, if the word before the parentheses is a known tool, it is about the arguments of that tool',
  'note.mcp':
    '{entry} matches no tool of an MCP server in LibreChat: their names are like {name}; write {right} for all of that server',
  'note.ask-allowed':
    'in mode: dontAsk only calls that allow names can need approval, so the entries of ask are in allow as well. If you remove one from ask, remove it from allow too',
  'note.question-tool':
    'in LibreChat its own {tool} never needs approval; add it to allow if your agent has it',
  'note.reason-blank': 'the reason is only spaces, and was left out',
  'note.reason-long': 'the reason is longer than {limit} characters, and was left out',
  'note.reason':
    'the reason is shown when a call needs approval; a denial names the rule that denied. For another text write a rule with then: deny and its own reason',

  'note.auto-mode':
    'AUTO runs every tool by itself, which is mode: bypass here; what you deny is still denied. `extends: banksman:starter` with mode: default lets through what only reads, and is the better start',
  'note.disabled-mode':
    'DISABLED is read as its guide has it: no tool runs. The program itself took it for "no approval" and ran every tool; if that is what you had, write mode: bypass, or better `extends: banksman:starter`',

  'codex.rule': 'the prefix_rule in line {line}',
  'note.codex-call': '{call} in line {line} has no equal here, and was not imported',
  'note.codex-sandbox':
    'Codex runs commands that no rule names in its sandbox, without approval; here they need approval unless something allows them. `extends: banksman:starter` allows commands that only read',
  'note.justification':
    'the justification of {rule} is not shown here: {text}. Write a rule with reason: to show it',
  'note.codex-word': "{entry} has a word that can't be written as a pattern here; it was left out",
  'note.codex-every': "{entry} has a word that can't be written as a pattern here; it is about every command",
  'note.codex-wider': "{entry} has a word that can't be written as a pattern here; it is about every {right}",

  'note.opencode-runs':
    'opencode runs most tools without a rule; here they need approval unless something allows them. `extends: banksman:starter` allows commands that only read',
  'note.all-denied':
    'everything is denied but for {others}; a deny has no exceptions here, so all of it is denied',
  'note.denied-but':
    '{tool} is denied but for {others}; a deny has no exceptions here, so all of it is denied',
  'note.before-star': '{tool} stands before "*", which counts for it too there',
  'note.doom-loop': '"doom_loop" is about repeated calls, and was not imported',
  'note.outside':
    'patterns of "external_directory" read differently here; it is {list} for every path outside the workspace',
  'note.never-count': 'patterns of {tool} before "*" never count there, and were left out',
  'note.pattern-dropped': '{entry} is a pattern that reads differently here; it was left out of allow',
  'note.pattern-wider': '{entry} is a pattern that reads differently here; it is about every call of {tool}',
  'beside.hooks':
    'hooks are programs, not a policy, and were not imported; put what they stopped into deny, ask or rules',
  'beside.sandbox':
    'the sandbox is enforced by the operating system and was not imported; it still works beside this policy where Claude Code runs',
  'beside.env': 'env sets variables for Claude Code and is not a policy; it was not imported',
  'beside.agent': 'permissions of single agents were not imported; write rules with agent: for them',
  'beside.mode': 'permissions of single modes were not imported; write rules with agent: for them',
  'beside.tools': 'tools that are switched off stay off in opencode, and were not imported',
  'beside.plugin': 'plugins are programs, not a policy, and were not imported',
} as const

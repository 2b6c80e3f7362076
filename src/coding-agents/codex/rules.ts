/**
 * A second line, for when hooks are off: rules of Codex itself by which a few things are forbidden. They need no trust and count in every
 * project. They match the first words of commands that stand plainly in a line, so they stop the obvious and nothing clever.
 */
type Words = readonly (string | readonly string[])[]

/** Commands that decide, or that let somebody decide. Looking is not among them. */
const OF_PEOPLE = [
  'connect',
  'disconnect',
  'trust',
  'login',
  'link',
  'chat',
  'hook',
  'start',
  'demo',
  'backup',
]
const OF_PEOPLE_IN_GROUPS: Words[] = [
  ['requests', ['approve', 'reject', 'watch']],
  ['grants', 'revoke'],
  ['tokens', ['create', 'revoke']],
  ['sessions', ['start', 'send', 'mode']],
]
const GROUPS = OF_PEOPLE_IN_GROUPS.map(([name]) => name as string)

/** What fetches and runs a package. Through these not even looking is left. */
const RUNNERS: Words[] = [
  [['npx', 'bunx', 'pnpx']],
  ['npx', ['-y', '--yes', '--no', '--no-install']],
  [
    ['npm', 'pnpm', 'yarn'],
    ['exec', 'x', 'dlx'],
  ],
  [
    ['npm', 'pnpm', 'yarn'],
    ['exec', 'x', 'dlx'],
    ['--', '-y', '--yes'],
  ],
  [['pnpm', 'yarn']],
]
const PACKAGES = ['banksman', 'banksman@latest']

const BARE_CODEX = [
  '--dangerously-bypass-hook-trust',
  '--dangerously-bypass-approvals-and-sandbox',
  '--yolo',
  '--ignore-user-config',
  '--ignore-rules',
]
const CODEX_COMMANDS = ['exec', 'e', 'resume', 'fork', 'review', 'app-server', 'mcp-server']
const HOOK_FEATURES = ['hooks', 'codex_hooks']
const BARE_CLAUDE = [
  '--dangerously-skip-permissions',
  '--allow-dangerously-skip-permissions',
  '--bare',
  '--safe-mode',
  '--settings',
]

const FORBIDDEN: readonly { name: string; because: string; patterns: Words[] }[] = [
  {
    name: 'ONLY_PEOPLE',
    because:
      'Banksman: this decides, or lets somebody decide. Only a person may run it, in a terminal of their own',
    patterns: [
      ['banksman', OF_PEOPLE],
      ...OF_PEOPLE_IN_GROUPS.map((words) => ['banksman', ...words]),
      ...RUNNERS.map((words) => [...words, PACKAGES, [...OF_PEOPLE, ...GROUPS]]),
    ],
  },
  {
    name: 'UNSEEN',
    because: 'Banksman: an agent without its hooks would work unseen',
    patterns: [
      ['codex', BARE_CODEX],
      ['codex', CODEX_COMMANDS, BARE_CODEX],
      ['codex', '--disable', HOOK_FEATURES],
      ['codex', CODEX_COMMANDS, '--disable', HOOK_FEATURES],
      ['codex', 'features', 'disable', HOOK_FEATURES],
      ['claude', BARE_CLAUDE],
      ['claude', ['-p', '--print', '-c', '--continue'], BARE_CLAUDE],
    ],
  },
]

export function codexRulesText(): string {
  const rules = FORBIDDEN.map(({ name, because, patterns }) =>
    [
      `${name} = ${JSON.stringify(because)}`,
      ...patterns.map(
        (pattern) =>
          `prefix_rule(pattern = ${listText(pattern)}, decision = "forbidden", justification = ${name})`,
      ),
    ].join('\n'),
  )
  return `# Rules of Banksman for Codex. \`banksman connect codex\` wrote this file, and \`banksman disconnect codex\` removes it.
# A second line for when hooks are switched off. While they are on, the hooks in hooks.json check every call.

${rules.join('\n\n')}
`
}

function listText(words: Words): string {
  return `[${words.map((word) => (typeof word === 'string' ? JSON.stringify(word) : listText(word))).join(', ')}]`
}

/** The help, on every level, for someone who has never used the program. */
import type { CliCommand } from './command-line/command.ts'
import type { OptionSpecs } from './command-line/option-specs.ts'
import { COMMANDS, type CommandEntry, type CommandGroup } from './command-tree.ts'
import type { Paint } from './output/terminal.ts'

export function programHelp(paint: Paint): string {
  return [
    `${paint('bold', 'banksman')}: the approval layer for AI agents`,
    '',
    'Before an agent runs a tool, the policy in banksman.yaml allows the call, denies it, or requires approval.',
    'A person approves or rejects it here, in the browser or in a chat. What is approved runs once, exactly as shown.',
    '',
    section('Usage', paint),
    '  banksman <command> [options]',
    '',
    section('Commands', paint),
    ...listing(Object.entries(COMMANDS).flatMap(([name, node]) => commandLines(name, node))),
    '',
    section('First steps', paint),
    ...examples(
      [
        {
          line: 'banksman start --demo',
          about: 'start a server with a demonstration agent; it needs no key and no network',
        },
        { line: 'banksman demo', about: 'in another terminal: run the demonstration again' },
        { line: 'banksman chat', about: 'in another terminal: talk to the agent, and decide on its calls' },
        { line: 'banksman requests watch', about: 'decide the requests of all agents' },
        {
          line: "banksman policy explain 'git status' --tool Bash",
          about: 'see what the policy says of a call',
        },
      ],
      paint,
    ),
    '',
    section('Environment', paint),
    ...listing([
      ['BANKSMAN_DATA', 'the data folder (default: .banksman in the current folder)'],
      ['BANKSMAN_CONFIG', 'the configuration file (default: banksman.yaml in the current folder)'],
      ['BANKSMAN_STORE', 'the store (default: a database in the data folder)'],
      ['BANKSMAN_PORT', 'the port that `start` listens on (default: 4790)'],
      ['BANKSMAN_HOME', 'where `trust` keeps its record (default: ~/.config/banksman)'],
      ['BANKSMAN_URL', 'the server to talk to (default: the one that runs on the data folder)'],
      ['BANKSMAN_TOKEN', 'the token for that server; the owner of the data folder needs none'],
      ['NO_COLOR', 'if set, no colours'],
      ...MODEL_VARIABLES,
    ]),
    '',
    'Exit codes: 0 success, 1 refused or failed, 2 wrong usage.',
    'More on each command: banksman <command> --help',
  ].join('\n')
}

/** The first that is set counts. */
const MODEL_VARIABLES: [string, string][] = [
  [
    'ANTHROPIC_API_KEY',
    'if the configuration names no model, the agent uses Anthropic’s; ANTHROPIC_BASE_URL sets another address',
  ],
  ['OPENAI_BASE_URL', 'the same with any server that speaks OpenAI’s protocol; OPENAI_API_KEY is its key'],
  ['OLLAMA_HOST', 'the same with Ollama'],
  ['BANKSMAN_MODEL', 'the model to use instead of the default one'],
]

export async function groupHelp(
  name: string,
  { summary, members }: CommandGroup,
  paint: Paint,
): Promise<string> {
  const commands = await Promise.all(Object.values(members).map((member) => member.load()))
  return [
    `${paint('bold', `banksman ${name}`)}: ${summary}`,
    '',
    section('Usage', paint),
    `  banksman ${name} <command> [options]`,
    '',
    section('Commands', paint),
    ...listing(Object.entries(members).map(([member, entry]) => [member, entry.summary])),
    '',
    section('Examples', paint),
    ...examples(
      commands.flatMap((command) => command.examples.slice(0, 1)),
      paint,
    ),
    '',
    `More on each: banksman ${name} <command> --help`,
  ].join('\n')
}

/** A group is one line: its members are listed in its own help. */
function commandLines(name: string, node: CommandEntry | CommandGroup): [string, string][] {
  const members = node.kind === 'command' ? Object.entries(node.members ?? {}) : []
  return [[name, node.summary], ...members.flatMap(([word, entry]) => commandLines(`${name} ${word}`, entry))]
}

export function commandHelp(
  name: string,
  { summary, members }: Pick<CommandEntry, 'summary' | 'members'>,
  command: CliCommand,
  paint: Paint,
): string {
  const given = command.positionals ?? []
  const positionals = given.flatMap(({ name, required, rest, several }) => {
    const shown = several ? `${name}…` : name
    return rest ? [] : required ? `<${shown}>` : `[${shown}]`
  })
  const foreign = given.filter(({ rest }) => rest).map((one) => `-- <${one.name}…>`)
  return [
    `${paint('bold', `banksman ${name}`)}: ${summary}`,
    '',
    section('Usage', paint),
    `  ${['banksman', name, ...positionals, '[options]', ...foreign].join(' ')}`,
    '',
    ...paragraphs(command.about),
    '',
    ...(members === undefined ? [] : [section('Commands', paint), ...listing(below(name, members)), '']),
    section('Options', paint),
    ...listing([...optionLines(command.options), ['--help', 'show this help']]),
    '',
    section('Examples', paint),
    ...examples(command.examples, paint),
  ].join('\n')
}

function below(name: string, members: NonNullable<CommandEntry['members']>): [string, string][] {
  return Object.entries(members).map(([word, { summary }]) => [`${name} ${word}`, summary])
}

function optionLines(options: OptionSpecs): [string, string][] {
  return Object.entries(options).map(([name, spec]) => {
    if (spec.kind === 'flag') return [`--${name}`, spec.about]
    return [`--${name} ${spec.value}`, spec.about]
  })
}

function section(title: string, paint: Paint): string {
  return paint('bold', title)
}

const GAP = 2
const ABOUT_COLUMNS = 78
const TEXT_COLUMNS = 100

function listing(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.flatMap(([name, about]) => {
    const [first = '', ...more] = wrap(about, ABOUT_COLUMNS)
    const indent = ' '.repeat(2 + width + GAP)
    return [`  ${name.padEnd(width + GAP)}${first}`, ...more.map((line) => indent + line)]
  })
}

function examples(list: CliCommand['examples'], paint: Paint): string[] {
  return list.flatMap(({ line, about }) => [`  ${line}`, `      ${paint('dim', about)}`])
}

/** As wide as each other, however they are written; one with an indented line is a table and stays as it is. */
function paragraphs(text: string): string[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((paragraph, index) => [
      ...(index === 0 ? [] : ['']),
      ...(/^ /m.test(paragraph) ? [paragraph] : wrap(paragraph.replaceAll('\n', ' '), TEXT_COLUMNS)),
    ])
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/**
 * Takes the examples out of tldr pages, and tells which of them are ordinary commands of a developer that only read.
 * That is told from the pages alone, never from a verdict: the program is one that coding agents run, the example's
 * description begins with a word for looking, and neither the description nor the command speaks of changing something,
 * of another machine, of more rights or of a place outside of the workspace, where asking is what the policy promises.
 */

export type Example = ReadingExample | { kind: 'left out'; program: string; reason: string }

export interface ReadingExample {
  kind: 'reading'
  program: string
  /** What the page says of it. */
  says: string
  /** The command with its placeholders filled: once with short options and once with long ones, where it has both. */
  variants: string[]
}

const LOOKING =
  /^(list|show|display|print|find|search|count|view|check|compare|get|output|describe|inspect|see|query|locate|report|look|tell|return|determine|read|preview|calculate|verify|test (if|whether)|examine|summarize|identify|filter)\b/i

/** Words for more than looking, in a description. */
const CHANGING =
  /\b(write|writes|writing|save|saves|saving|saved|edit|editor|replace|replacing|delete|deleting|remove|removing|create|creating|update|updating|install|installing|uninstall|upgrade|run|running|execute|executing|start|open|opening|browser|download|upload|clone|fetch|push|pull|set|change|modify|rename|move|copy|redirect|interactive|interactively|then|log in|password|kill|mount|apply|rebase|check out|compil\w+|format|log output|to a (specific )?file)\b/i

const ELSEWHERE =
  /\b(remote|server|url|website|web page|registry|online|internet|network|repository on|hosted|domain|ip address|host|port|outdated|up-to-date|latest versions?|newer versions?|vulnerabilit\w+|security issues)\b/i

/** What these look at is on another machine, with every sub-command or with these. */
const REMOTE: ReadonlyMap<string, ReadonlySet<string> | 'all'> = new Map<string, ReadonlySet<string> | 'all'>(
  [
    ...'gh aws gcloud az kubectl helm terraform tofu curl wget ssh scp rsync sftp ping traceroute dig nslookup host'
      .split(' ')
      .map((name) => [name, 'all'] as const),
    ...'psql mysql redis-cli mongosh mongo'.split(' ').map((name) => [name, 'all'] as const),
    [
      'npm',
      subCommands(
        'access audit diff dist-tag doctor hook info org outdated owner ping profile s search show star stars team token v view whoami',
      ),
    ],
    ['pnpm', subCommands('audit outdated info view')],
    ['yarn', subCommands('audit outdated info npm')],
    ['bun', subCommands('audit outdated info')],
    ['cargo', subCommands('info owner search')],
    ['rustup', subCommands('check')],
    ['docker', subCommands('search login')],
    ['podman', subCommands('search login')],
    ['pip', subCommands('index search')],
    ['poetry', subCommands('search')],
    ['composer', subCommands('audit search browse')],
    ['gem', subCommands('search info outdated owner')],
  ],
)

/** These write, or build or run the project's own code, whatever they show of it. */
const BUILDING: ReadonlyMap<string, ReadonlySet<string> | 'all'> = new Map<
  string,
  ReadonlySet<string> | 'all'
>([
  ['gcc', 'all'],
  ['clang', 'all'],
  ['ninja', 'all'],
  ['git', subCommands('apply gui mktree merge-tree merge-index')],
  ['cargo', subCommands('b build c check t test rustc msrv clippy bench')],
  ['go', subCommands('build test vet generate')],
  ['npm', subCommands('cit it install-test test t')],
  ['deno', subCommands('check test')],
])

function subCommands(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** The programs that coding agents run most, and what is always beside them. */
const PROGRAMS = new Set(
  [
    'git gh ls cat tac nl less more head tail rg grep egrep fgrep zgrep ag ack find fd tree file stat wc sort uniq cut',
    'paste tr comm join column rev diff cmp patch tee cp mv rm rmdir mkdir touch ln chmod chown install mktemp readlink',
    'realpath basename dirname pwd cd echo printf true false test [ date cal sleep seq yes expr bc which type whereis man',
    'node npm npx pnpm yarn bun deno tsc tsx eslint prettier vitest jest biome cargo rustc go gofmt vim vi nano emacs code',
    'dd shred truncate kill pkill killall crontab at screen tmux sed awk jq yq xargs tar zip unzip gzip docker kubectl',
    'helm terraform aws gcloud az curl wget ssh scp rsync ping dig nslookup host ip ss netstat lsof ps top htop df du',
    'free uname uptime who whoami id env printenv hostname systemctl journalctl dmesg mount lsblk make cmake ninja gcc',
    'clang python pip poetry uv ruby gem bundle perl php composer java javac mvn gradle dotnet psql mysql sqlite3',
    'redis-cli mongosh openssl gpg base64 xxd od hexdump strings md5sum sha256sum shasum cksum',
  ].flatMap((line) => line.split(' ')),
)

export function examplesOf(pages: readonly string[]): Example[] {
  const hosts = new Map(pages.map((page) => [titleOf(page), hostOf(page)]))
  return pages.flatMap((page) => {
    const title = titleOf(page)
    const [program = ''] = title.split(' ')
    if (!PROGRAMS.has(program)) return []
    const isOthers =
      title !== program && hosts.get(program) !== undefined && hosts.get(program) !== hostOf(page)
    return [...page.matchAll(/^- (.+?):?\n\n`(.+)`$/gm)].map(([, says = '', command = '']): Example => {
      const reason = isOthers
        ? 'it is a sub-command that others wrote'
        : reasonAgainst(program, says, command)
      if (reason !== undefined) return { kind: 'left out', program, reason }
      return {
        kind: 'reading',
        program,
        says,
        variants: [...new Set([fill(command, 'short'), fill(command, 'long')])],
      }
    })
  })
}

function titleOf(page: string): string {
  return /^# (.+)$/m.exec(page)?.[1]?.trim() ?? ''
}

/** Who keeps the program, as far as a page says. */
function hostOf(page: string): string | undefined {
  return /^> More information: <https?:\/\/([^/>]+)/m.exec(page)?.[1]
}

function reasonAgainst(program: string, says: string, command: string): string | undefined {
  const bare = fill(command, 'short')
  const words = bare.split(/\s+/)
  if (words[0] === 'tldr' || !words.includes(program))
    return 'it is keys to be typed, or about another program'
  if (!LOOKING.test(says)) return 'the description does not begin with a word for looking'
  const subCommand = words[words.indexOf(program) + 1] ?? ''
  const writes = /(^|\s)\d*>>?\s*[^&\s]|\|\s*(tee|sh|bash|xargs)\b/.test(bare)
  const building = BUILDING.get(program)
  if (CHANGING.test(says) || writes || building === 'all' || building?.has(subCommand))
    return 'it changes or starts something'
  const remote = REMOTE.get(program)
  if (remote === 'all' || remote?.has(subCommand) || ELSEWHERE.test(says) || /:\/\//.test(bare)) {
    return 'it looks at another machine'
  }
  if (/(^|\s)(sudo|doas|su)\s/.test(bare) || /\b(root|administrator)\b/i.test(says))
    return 'it needs more rights'
  if (/(^|[\s"'=:|])(\/|~|\$HOME\b)(?!\^|dev\/null)/.test(bare))
    return 'it names a place outside of the workspace'
  return undefined
}

/** Placeholders become plausible names in the workspace; `{{[-p|--patch]}}` is one of two spellings. */
function fill(command: string, spelling: 'short' | 'long'): string {
  return (
    command
      .replaceAll(/\{\{\[([^|\]]*)\|([^\]]*)\]\}\}/g, (_, short: string, long: string) => {
        return spelling === 'short' ? short : long
      })
      .replaceAll(/^\{\{command\}\}/g, 'ls')
      .replaceAll(/\{\{(.*?)\}\}/g, (_, name: string) => valueFor(name))
      // Braces that the command itself has: `--format '{{.Names}}'`.
      .replaceAll(/\\([{}])\\\1/g, '$1$1')
  )
}

const NUMBER =
  /^(n|num|[a-z_]*(number|count|depth|level|lines?|columns?|width|length|offset|bytes|seconds|minutes|hours|days|size|pid|process_id|limit|context)[a-z_]*)\d?$/i

function valueFor(placeholder: string): string {
  const names = placeholder.replace(/\s*\.\.\.$/, '').split(' ')
  const values = names.map((name) => {
    const first = name.split('|')[0] ?? ''
    if (first.includes('path/to/')) return first.replaceAll('path/to/', 'src/')
    return /^(file|filename|directory|folder|dir)s?\d?$/i.test(first) ? `src/${first}` : first
  })
  if (values.length === 1)
    return NUMBER.test(values[0] ?? '') && !values[0]?.includes('/') ? '5' : (values[0] ?? '')
  const isList =
    values.every((value) => /\d$/.test(value)) || values.some((value) => /^src\/|^[-.]/.test(value))
  return values.join(isList ? ' ' : '_')
}

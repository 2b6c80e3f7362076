/**
 * What one command of a shell line reaches. A program that is known has its hosts looked for where it takes them. One that
 * is not known is taken at its words: an address among them is reached, and a word that is known only later may be one.
 * Programs that the starter knows to do neither reach nothing, whatever their words are: `echo https://example.com`.
 */

import { reasonOf } from '../../core/reasons/reason-of.ts'
import { knownPrograms } from '../known-programs.ts'
import { moduleOf } from '../shell/options/command-line.ts'
import { readOptions } from '../shell/options/read-options.ts'
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import { SHELLS } from '../shell/wrappers/look-at-shell.ts'
import { runsFrom } from '../shell/wrappers/runner-table.ts'
import { UNFOLLOWED, WRAPPERS } from '../shell/wrappers/wrapper-table.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import { spendSteps } from '../steps.ts'
import { fixedWord, type HostPlaces, noteByPlaces, split } from './host-places.ts'
import { CLOUD_PROGRAMS } from './programs/clouds.ts'
import { noteCompose, noteContainers } from './programs/containers.ts'
import { DATABASE_PROGRAMS } from './programs/databases.ts'
import { noteGit } from './programs/git.ts'
import { PACKAGE_PROGRAMS } from './programs/packages.ts'
import { noteSsh, SSH_PROGRAMS } from './programs/secure-shell.ts'
import { WEB_PROGRAMS } from './programs/web.ts'
import { REACHES_NOTHING, type Reach } from './reach.ts'
import { ReachNotes } from './reach-notes.ts'
import { readHosts } from './read-hosts.ts'

type NoteReach = (notes: ReachNotes, words: readonly ShellWord[]) => undefined

export function reachOf(command: ShellCommand): Reach {
  const notes = new ReachNotes(command)
  noteConnections(notes)
  if (!command.transparent) noteProgram(notes, command.program, command.words)
  const reach = notes.reach()
  return notes.isEmpty && reach.mentioned.length === 0 ? REACHES_NOTHING : reach
}

/** Some shells open a connection for a file of this name. */
function noteConnections(notes: ReachNotes): undefined {
  for (const { target, text } of notes.command.redirections) {
    const [, host, port] = /^\/+dev\/+(?:tcp|udp)\/+([^/]*)\/+([^/]*)$/.exec(target ?? '') ?? []
    if (host !== undefined) notes.add(readHosts('host', `${host}:${port}`), { sure: true })
    else if (/dev\/+(?:tcp|udp)\b/.test(target ?? text)) notes.open('word')
  }
}

function noteProgram(notes: ReachNotes, program: string | undefined, words: readonly ShellWord[]): undefined {
  spendSteps(words.length)
  if (program === undefined || isPlainQuestion(words)) return
  const name = nameOf(program)
  if (!LOOKS_INSIDE.has(name)) noteRunner(notes, name, words)
  const note = NOTES.get(name)
  if (note !== undefined) return note(notes, words)
  if (/^python[\d.]*$/.test(name) || name === 'py') return notePython(notes, words)
  if (/^[gmn]?awk$/.test(name)) return noteAwk(notes, words)
  if (/^(?:g|bsd)?tar$/.test(name)) return noteTar(notes, words)
  // What these run is a command of the line itself.
  if (Object.hasOwn(WRAPPERS, name) || UNFOLLOWED.has(name) || RUNNERS.has(name)) return
  const profile = knownPrograms().get(name)
  const runsCode = profile?.can?.some((power) => power === 'code' || power === 'network') === true
  if (profile !== undefined && !runsCode) return
  if (judgeProgram(notes.command, () => 'yes').kind !== 'reads') notes.mentioned(words)
  for (const word of words) {
    if (word.value !== undefined) noteAddress(notes, word)
    else if (profile === undefined || word.text.includes('://')) notes.word(word, 'link')
  }
}

/** A program that runs what stands in its words, or of which nobody knows whether it does: `uv run curl example.com`. */
function noteRunner(notes: ReachNotes, program: string, words: readonly ShellWord[]): undefined {
  const from = runsFrom(program, words)
  if (from === undefined) return
  for (let at = from; at < words.length; at++) {
    const name = words[at]?.value?.replace(/^.*\//, '') ?? ''
    const note = CLIENTS.has(name) ? NOTES.get(name) : undefined
    if (note !== undefined) notes.tried((inner) => note(inner, words.slice(at + 1)))
  }
}

/** These say themselves what is run in them. */
const LOOKS_INSIDE = new Set(split('docker podman docker-compose podman-compose nerdctl kubectl oc sshpass'))

/** Names that stand for nothing else. */
const CLIENTS = new Set(
  split(
    'curl wget ssh scp sftp rsync nc ncat netcat socat telnet ftp git npm npx pip docker kubectl aws gcloud gh',
  ),
)

/** A word of a program that nobody knows: an address, an option or a setting with one, or a text that mentions some. */
function noteAddress(notes: ReachNotes, word: ShellWord): undefined {
  notes.word(fromOption(word), 'link')
  notes.mention(word)
}

/** `--url=https://…` of a program that nobody knows. */
function fromOption(word: ShellWord): ShellWord {
  const [, value] = /^(?:-[\w-]*=?|\w+=)([a-z][a-z0-9+.-]*:\/\/.*)$/is.exec(word.value ?? '') ?? []
  return value === undefined ? word : { ...word, value }
}

const RUNNERS = new Set(
  split(
    'export declare typeset local readonly set unset alias unalias read let return exit shift getopts trap wait ulimit umask shopt xargs gxargs find gfind fd fdfind sh bash dash zsh ksh mksh ash fish csh tcsh rbash su runuser parallel',
  ),
)

function isPlainQuestion(words: readonly ShellWord[]): boolean {
  return words.length === 1 && /^(?:--?version|--?help|version|help)$/.test(words[0]?.value ?? '')
}

/** `pip3.12` is `pip`. */
function nameOf(program: string): string {
  const name = program.replace(/\.(?:exe|cmd|bat)$/i, '')
  if (NOTES.has(name)) return name
  // Some disks take names in capitals for the same.
  return name.toLowerCase().replace(/^(pip|easy_install|gem|bundle|composer|php|psql)-?[\d.]+$/, '$1')
}

/** A command inside another one, in a container say: what a shell is given there nobody looks into. */
function noteInner(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const [program, ...rest] = words[0]?.value === '--' ? words.slice(1) : words
  if (program === undefined) return
  const name = program.value?.replace(/^.*\//, '')
  if (name !== undefined && SHELLS.has(name)) return noteShell(notes, rest)
  if (name === undefined || (!NOTES.has(name) && (RUNNERS.has(name) || Object.hasOwn(WRAPPERS, name))))
    return notes.open('word')
  notes.inside(() => noteProgram(notes, name, rest))
}

/** What a shell is given inside is not read. It may reach something where it names a program that does, or is not all known. */
function noteShell(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const isOpen = ({ value }: ShellWord) =>
    value === undefined ||
    value.split(/[\s;&|()<>`"'$={}!/]+/).some((token) => NOTES.has(token) || token === 'tcp')
  if (words.some(isOpen)) notes.open('word')
}

/** `-m` takes the rest of the line for a module and its words. */
function notePython(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  notes.mentioned(words)
  const { name, rest } = moduleOf(words) ?? { name: '', rest: words }
  if (name === undefined) return notes.open('word')
  if (NOTES.has(nameOf(name))) return notes.inside(() => noteProgram(notes, name, rest))
  for (const word of rest) if (word.value !== undefined) noteAddress(notes, word)
  if (NETWORK_MODULE.test(name)) notes.open('settings')
}

const NETWORK_MODULE =
  /^(?:http|xmlrpc|wsgiref|socketserver|smtpd|ensurepip|webbrowser|ftplib|telnetlib|nntplib|poplib|imaplib|smtplib|urllib)\b/

/** An archive is on another machine where a colon follows a host. */
function noteTar(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const read = readOptions('tar', words)
  if (read.has('--force-local')) return
  for (const { names, word } of read.found)
    if (word !== undefined && names.includes('--file')) notes.word(word, 'remote')
}

function noteAwk(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  for (const { value } of words) {
    for (const [, host = ''] of (value ?? '').matchAll(/\/inet[46]?\/(?:tcp|udp)\/[^/]*\/([^/"]*)/g)) {
      notes.add(readHosts('host', host), { sure: true })
    }
    if (/\/inet/.test(value ?? '') && notes.isEmpty) notes.open('word')
  }
}

const METHOD = /^(?:get|post|put|patch|delete|head|options|connect|trace)$/i

/** `http POST example.com name=value`; `:3000/x` is on this machine. */
function noteHttpie(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const read = readOptions('http', words, HTTPIE_VALUES)
  for (const { names, word } of read.found) {
    if (word === undefined) continue
    if (names.includes('--proxy')) notes.word(word, 'proxied')
    else if (names.includes('--resolve')) notes.word(word, 'pairs')
  }
  if (read.has('--version', '--help', '--offline')) return
  const at = METHOD.test(read.arguments[0]?.value ?? '') ? 1 : 0
  const address = read.arguments[at]
  if (address !== undefined && !/^:(?:\d|\/|$)/.test(address.value ?? '')) notes.word(address, 'url')
  if (read.arguments.some(({ value }) => value === undefined)) notes.open('word')
}

const HTTPIE_VALUES: ReadonlySet<string> = new Set(
  split(
    '-a --auth -A --auth-type -o --output --session --session-read-only -p --print -P -s --style --pretty --timeout --verify --cert --cert-key --max-redirects --default-scheme --ssl --ciphers --boundary --raw --format-options --bearer --proxy --resolve --unix-socket',
  ),
)

/** `dig @server name type +option`. */
function noteDig(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const read = readOptions('dig', words, new Set(split('-b -c -f -k -p -q -t -x -y')))
  for (const { names, word } of read.found) {
    if (names.includes('-f')) notes.open('settings')
    else if ((names.includes('-q') || names.includes('-x')) && word !== undefined) notes.word(word, 'host')
  }
  for (const word of read.arguments) {
    const { value } = word
    if (value === undefined) notes.open('word')
    else if (value.startsWith('@')) notes.word({ ...word, value: value.slice(1) }, 'host')
    else if (
      !value.startsWith('+') &&
      !/^(?:a|aaaa|any|mx|ns|txt|soa|cname|ptr|srv|caa|ds|dnskey|naptr|in|ch|hs|axfr|ixfr.*|type\d+|https|svcb|tlsa)$/i.test(
        value,
      )
    )
      notes.word(word, 'host')
  }
}

/** The words of Go that reach for modules, each of which begins with its host. */
function noteGo(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const values = split('-C -mod -modfile -o -p -tags -ldflags -gcflags -asmflags -overlay -exec')
  const read = readOptions('go', words, new Set(values))
  const [sub, ...rest] = read.arguments
  if (sub === undefined) return
  if (sub.value === undefined) return notes.open('word')
  if (sub.value === 'env') for (const word of rest) notes.mention(word, { later: true })
  // What is built is on this machine already, whatever its name begins with.
  if (!GO_LOCAL.test(sub.value)) notes.mentioned(words)
  const isMod =
    sub.value === 'mod' && /^(?:download|tidy|vendor|why|graph|verify)$/.test(rest[0]?.value ?? 'download')
  const isUpdate = sub.value === 'list' && read.has('-u', '-m', '-versions')
  const fetches = sub.value === 'get' || sub.value === 'install' || isMod || isUpdate || sub.value === 'work'
  const runs = (sub.value === 'run' || sub.value === 'tool') && /@/.test(rest[0]?.value ?? '@')
  if (!fetches && !runs) return
  for (const word of runs ? rest.slice(0, 1) : rest) notes.word(word, 'module')
  const isLocal = rest.length > 0 && rest.every(({ value }) => /^\.{1,2}(?:\/|$)/.test(value ?? ''))
  if (isLocal) return
  notes.usual('golang.org')
  notes.lookup({ settings: 'go' }, false, reasonOf('reach-by.settings', { program: 'go' }))
}

const GO_LOCAL = /^(?:build|test|vet|run|list|fmt|doc|version|clean|generate|tool|fix)$/

/** kubectl runs a command in a container, too. */
function noteKubectl(places: HostPlaces): NoteReach {
  return (notes, words) => {
    noteByPlaces(notes, words, places, 'kubectl')
    const at = words.findIndex(({ value }) => value === '--')
    if (at !== -1 && words.some(({ value }) => value === 'exec' || value === 'run' || value === 'debug'))
      noteInner(notes, words.slice(at + 1))
  }
}

function noteSshpass(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const at = words.findIndex(({ value }) => /(?:^|\/)(?:ssh|scp|sftp|rsync)$/.test(value ?? ''))
  if (at === -1) notes.open('word')
  else noteInner(notes, words.slice(at))
}

const NOTES: ReadonlyMap<string, NoteReach> = new Map<string, NoteReach>([
  ...[...WEB_PROGRAMS, ...DATABASE_PROGRAMS, ...PACKAGE_PROGRAMS, ...CLOUD_PROGRAMS, ...SSH_PROGRAMS].flatMap(
    ([names, places]) =>
      split(names).map((name): [string, NoteReach] => [
        name,
        name === 'kubectl' || name === 'oc'
          ? noteKubectl(places)
          : (notes, words) => noteByPlaces(notes, words, places, name),
      ]),
  ),
  ['git', noteGit],
  ['scalar', noteGit],
  ['git-lfs', (notes, words) => noteGit(notes, [fixedWord('lfs'), ...words])],
  ['go', noteGo],
  ['dig', noteDig],
  ...split('ssh autossh slogin plink').map((name): [string, NoteReach] => [name, noteSsh]),
  ...split('http https httpie xh xhs').map((name): [string, NoteReach] => [name, noteHttpie]),
  ...split('docker podman nerdctl buildah crictl ctr img kaniko finch lima colima').map(
    (name): [string, NoteReach] => [name, (notes, words) => noteContainers(notes, words, noteInner)],
  ),
  ...split('docker-compose podman-compose').map((name): [string, NoteReach] => [
    name,
    (notes, words) => noteCompose(notes, words, noteInner),
  ]),
  ['sshpass', noteSshpass],
])

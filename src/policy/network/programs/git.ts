/**
 * What git reaches. An address in the line is read there; a remote is a name whose address stands in the settings of the
 * repository, which the edge looks up. Settings on the line that may change an address leave it open.
 */

import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { readLine, subCommandsOf } from '../../shell/options/command-line.ts'
import { type CommandOptions, type FoundOption, readOptions } from '../../shell/options/read-options.ts'
import { joinFolder } from '../../shell/paths/folder.ts'
import type { ShellWord } from '../../shell/reading.ts'
import { fixedWord, split } from '../host-places.ts'
import type { ReachNotes } from '../reach-notes.ts'
import { readHosts } from '../read-hosts.ts'

/** Settings that say nothing about where git goes, by how they begin. */
const HARMLESS =
  /^(?:user|color|commit|core\.(?:quotepath|autocrlf|eol|filemode|ignorecase|abbrev|safecrlf|longpaths|pager|editor|symlinks)|advice|diff|merge|pull|rebase|log|format|init|gc|pack|index|status|column|pretty|i18n|gpg|tag|safe|fetch|push|transfer|http\.(?:version|postbuffer|lowspeedlimit|lowspeedtime|extraheader|sslverify|useragent)|grep|blame|stash|interactive|lfs\.(?:concurrenttransfers|skipdownloaderrors))(?:\.|=|$)/i

/** Commands of git's own that reach no other machine. What is not here may be an alias. */
const LOCAL = new Set(
  split(
    'add am annotate apply bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap ' +
      'check-ref-format checkout checkout-index cherry cherry-pick citool clean column commit commit-graph commit-tree ' +
      'config count-objects describe diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import ' +
      'filter-branch filter-repo fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id gitk grep gui ' +
      'hash-object help index-pack init init-db interpret-trailers log ls-files ls-tree mailinfo mailsplit merge ' +
      'merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes ' +
      'pack-objects pack-redundant pack-refs patch-id prune prune-packed range-diff read-tree rebase reflog repack replace ' +
      'replay rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-index show-ref ' +
      'sparse-checkout stage stash status stripspace switch symbolic-ref tag unpack-file unpack-objects update-index ' +
      'update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree ' +
      'credential credential-cache credential-store cherry-mark hook last-modified refs repo backfill-local',
  ),
)

/** Options with which it goes to hosts that nobody can name. */
const OPENS = split(
  '--upload-pack --receive-pack --exec --recurse-submodules --recursive --remote-submodules',
)

/** The words behind a sub-command, as that reads them. */
function readBehind(name: string, words: readonly ShellWord[], valued?: ReadonlySet<string>): CommandOptions {
  const read = readOptions('git', [fixedWord(name), ...words], valued)
  return { ...read, found: read.found, arguments: read.arguments.slice(1) }
}

function isOpening({ names, word }: FoundOption): boolean {
  return names.some((name) => OPENS.includes(name)) && word?.value !== 'no' && word?.value !== 'check'
}

function has(found: readonly FoundOption[], ...names: string[]): boolean {
  return found.some((option) => names.some((name) => option.names.includes(name)))
}

interface GitPlace {
  readonly notes: ReachNotes
  /** The folder whose settings count; undefined where it is not known. */
  readonly folder: string | undefined
}

export function noteGit(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  let { folder } = notes.command
  const line = readLine('git', words)
  const subs = subCommandsOf(line, words)
  const before = new Set(words.slice(0, subs.at(-1)?.at))
  // What nobody knows may be any setting.
  let changed = subs.length > 1
  for (const { key, value, word } of line.options) {
    if (!before.has(word)) break
    if (key === '-C') folder = value === undefined ? undefined : joinFolder(folder, value)
    else if (key === '-c' || key === '--config-env') changed ||= value === undefined || !HARMLESS.test(value)
    else if (key === '--git-dir' || key === '--work-tree') folder = undefined
  }
  for (const { word, at } of subs) {
    const rest = words.slice(at + 1)
    if (word.value === undefined) notes.open('word')
    // An alias may not take the name of a command, so that no setting changes these.
    else if (!LOCAL.has(word.value)) noteSubCommand({ notes, folder }, word.value, rest)
    else if (word.value === 'config') noteConfig(notes, rest)
  }
  if (changed && !notes.isEmpty) notes.open('settings')
}

function noteSubCommand(place: GitPlace, name: string, words: readonly ShellWord[]): undefined {
  const { notes } = place
  switch (name) {
    case 'clone':
      return noteClone(place, words)
    case 'fetch':
    case 'pull':
    case 'push':
    case 'ls-remote':
    case 'fetch-pack':
    case 'send-pack':
      return noteTransfer(place, name, words)
    case 'remote':
      return noteRemote(place, words)
    case 'submodule':
      return noteSubmodule(place, words)
    case 'archive': {
      for (const option of readBehind(name, words).found) {
        if (option.names.includes('--remote') && option.word !== undefined)
          noteNamed(place, option.word, false)
        if (isOpening(option)) notes.open('settings')
      }
      return words.some(({ value }) => value === undefined) ? notes.open('word') : undefined
    }
    case 'lfs':
      return noteLfs(place, words)
    case 'maintenance':
      return words.some(({ value }) => value === undefined || /prefetch|^start$|^register$/.test(value))
        ? noteNamed(place, fixedWord('*'), false)
        : undefined
    default:
      for (const word of words) notes.word(word, 'repository')
      return notes.open('settings')
  }
}

/** A setting that says where git goes from now on. */
function noteConfig(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  notes.mentioned(words)
  const at = words.findIndex(({ value }) => SETS_HOST.test(value ?? ''))
  if (at === -1) return
  const [, base] = /^url\.(.*)\.(?:push)?insteadof$/is.exec(words[at]?.value ?? '') ?? []
  if (base !== undefined) return notes.word(fixedWord(base), 'repository', { later: true })
  for (const word of words.slice(at + 1)) {
    const isAddress = /[@/]/.test(word.value ?? '@')
    notes.word(word, isAddress ? 'repository' : 'endpoint', { later: true })
  }
}

const SETS_HOST =
  /^(?:url\..*\.(?:push)?insteadof|remote\..*\.(?:push)?url|branch\..*\.(?:push)?remote|remote\.pushdefault|lfs\.(?:push)?url|bundle\.(?:.*\.)?uri|submodule\..*\.url|http\.(?:.*\.)?proxy|remote\..*\.proxy)$/is

function noteClone(place: GitPlace, words: readonly ShellWord[]): undefined {
  const { notes } = place
  const { arguments: rest, found, doubtful } = readBehind('clone', words)
  for (const option of found) {
    const { names, word } = option
    if (isOpening(option)) notes.open('settings')
    if (names.includes('--bundle-uri') && word !== undefined) notes.word(word, 'link')
    if (names.includes('--config') && !HARMLESS.test(word?.value ?? '')) notes.open('settings')
  }
  const [repository, ...more] = rest.filter((word) => !doubtful.has(word))
  if (repository !== undefined) noteAddress(place, repository, false)
  for (const word of doubtful) noteAddress(place, word, false)
  if (more.some(({ value }) => value === undefined)) notes.open('word')
}

function noteTransfer(place: GitPlace, name: string, words: readonly ShellWord[]): undefined {
  const { notes } = place
  const push = name === 'push' || name === 'send-pack'
  const read = readBehind(name, words)
  const { arguments: rest, found, doubtful } = read
  for (const option of found) {
    if (isOpening(option)) notes.open('settings')
    if (option.names.includes('--repo') && option.word !== undefined) noteNamed(place, option.word, push)
  }
  if (rest.slice(1).some(({ value }) => value === undefined)) notes.open('word')
  if (has(found, '--all') && !push) return noteNamed(place, fixedWord('*'), push)
  const sure = rest.filter((word) => !doubtful.has(word))
  const named = has(found, '--multiple') ? rest : [...doubtful, ...sure.slice(0, 1)]
  for (const word of named) noteNamed(place, word, push)
  if (named.length === 0 && !has(found, '--repo')) noteLookup(place, undefined, push)
}

/** An address, or the name of a remote. */
function noteNamed(place: GitPlace, word: ShellWord, push: boolean): undefined {
  const { value } = word
  const isName = value !== undefined && !word.pattern && value.length <= 256 && isPlainName(value)
  if (isName) noteLookup(place, value, push)
  else noteAddress(place, word, push)
}

/** The user's settings may have another address taken in its place. */
function noteAddress({ notes, folder }: GitPlace, word: ShellWord, push: boolean): undefined {
  const { value } = word
  notes.word(word, 'repository')
  // Facts are kept, so that an address with a password in it is not looked up.
  const isPlain = value !== undefined && !word.pattern && value.length <= 256 && !/:[^/@]*@/.test(value)
  if (isPlain && readHosts('repository', value).addresses.length > 0)
    notes.lookup(
      { settings: 'git', remote: value, push },
      false,
      reasonOf('reach-by.settings', { program: 'git' }),
      folder,
    )
}

function isPlainName(value: string): boolean {
  const { addresses, open } = readHosts('repository', value)
  return value !== '' && addresses.length === 0 && open === undefined && !/^[./~\\]|^file:/.test(value)
}

function noteLookup({ notes, folder }: GitPlace, remote: string | undefined, push: boolean): undefined {
  const by =
    remote === undefined
      ? reasonOf('reach-by.default-remote')
      : /^[\w.-]{1,40}$/.test(remote)
        ? reasonOf('reach-by.remote', { remote })
        : reasonOf('reach-by.a-remote')
  if (folder === undefined) return notes.open('settings')
  notes.lookup({ settings: 'git', remote, push }, true, by, folder)
}

function noteRemote(place: GitPlace, words: readonly ShellWord[]): undefined {
  const { notes } = place
  const { arguments: rest, found } = readBehind('remote', words)
  const [sub, name, url] = rest
  switch (sub?.value) {
    case 'add':
    case 'set-url': {
      const later = !has(found, '--fetch')
      for (const word of rest.slice(2)) notes.word(word, 'repository', { later })
      if (url === undefined && name !== undefined) notes.open('word')
      return
    }
    case 'update':
      return noteNamed(place, fixedWord('*'), false)
    case 'show':
    case 'prune':
      return name === undefined || has(found, '-n') ? undefined : noteNamed(place, name, false)
    case 'set-head':
      return has(found, '--auto') && name !== undefined ? noteNamed(place, name, false) : undefined
    default:
      return sub !== undefined && sub.value === undefined ? notes.open('word') : undefined
  }
}

function noteSubmodule({ notes }: GitPlace, words: readonly ShellWord[]): undefined {
  const { arguments: rest } = readBehind('submodule', words)
  const [sub, ...more] = rest
  const name = sub?.value
  if (sub === undefined || name === 'status' || name === 'summary' || name === 'deinit' || name === 'init')
    return
  if (name === 'sync' || name === 'absorbgitdirs' || name === 'set-branch') return
  if (name === 'set-url') for (const word of more.slice(1)) notes.word(word, 'repository', { later: true })
  else if (name === 'add') for (const word of more) notes.word(word, 'repository')
  else notes.open('settings')
}

const LFS_VALUES = new Set(split('-I -X --include --exclude'))

function noteLfs(place: GitPlace, words: readonly ShellWord[]): undefined {
  const [sub, remote] = readBehind('lfs', words, LFS_VALUES).arguments
  switch (sub?.value) {
    case 'fetch':
    case 'pull':
    case 'push':
    case 'locks':
    case 'lock':
    case 'unlock': {
      // Where the files lie may also be said by settings of its own.
      place.notes.open('settings')
      return remote === undefined ? undefined : place.notes.word(remote, 'repository')
    }
    case 'clone':
      return noteClone(place, words.slice(words.indexOf(sub) + 1))
    case undefined:
      return words.some(({ value }) => value === undefined) ? place.notes.open('word') : undefined
    default:
      return
  }
}

/** Container engines: registries in the names of images, the engine's own address, and what is run inside. */

import { type CommandOptions, readOptions } from '../../shell/options/read-options.ts'
import type { ShellWord } from '../../shell/reading.ts'
import { fixedWord, split } from '../host-places.ts'
import type { ReachNotes } from '../reach-notes.ts'

/** What others than docker have before the sub-command. */
const BEFORE = new Set(split('--url --connection --root --namespace -n --cgroup-manager --storage-driver'))

const BUILD = new Set(
  split(
    '--cache-to --secret --ssh -o --output --creds --authfile --progress --builder --src-creds --dest-creds',
  ),
)

/** The words behind a sub-command, as docker reads them. Others take the same options. */
function readBehind(command: readonly string[], words: readonly ShellWord[], valued?: ReadonlySet<string>) {
  const named = command.map(fixedWord)
  const read = readOptions('docker', [...named, ...words], valued)
  return { ...read, found: read.found, arguments: read.arguments.slice(named.length) }
}

/** The first argument, those that may be it, and all behind it. */
function firstArgument({ arguments: rest, doubtful }: Pick<CommandOptions, 'arguments' | 'doubtful'>) {
  const at = rest.findIndex((word) => !doubtful.has(word))
  const end = at === -1 ? rest.length : at + 1
  return { first: rest.slice(0, end), behind: rest.slice(end) }
}

/** Runs what stands behind the container, as if it were a command of the line. */
export type NoteInner = (notes: ReachNotes, words: readonly ShellWord[]) => undefined

export function noteContainers(notes: ReachNotes, words: readonly ShellWord[], inner: NoteInner): undefined {
  const { first } = firstArgument(readOptions('docker', words, BEFORE))
  const sub = first.at(-1)
  const at = sub === undefined ? words.length : words.indexOf(sub)
  for (const { names, word } of readOptions('docker', words.slice(0, at), BEFORE).found) {
    if (word === undefined) continue
    if (names.includes('--host') || names.includes('--url')) notes.word(word, 'endpoint')
    else if (names.includes('--context') || names.includes('--connection')) notes.open('settings')
  }
  if (sub === undefined) return
  notes.mentioned(words)
  if (sub.value === undefined) return notes.open('word')
  // `docker image pull` is `docker pull`.
  const rest = words.slice(at + 1)
  const isGroup = GROUPS.includes(sub.value)
  const name = isGroup ? (rest[0]?.value ?? '') : sub.value
  // Only a manifest or a builder's image is looked at where it lies.
  const isFar = name === 'inspect' && isGroup && !/^images?$|^container$/.test(sub.value)
  noteSubCommand(notes, isFar ? 'pull' : name, isGroup ? rest.slice(1) : rest, inner)
}

const GROUPS = split('image images i container builder manifest trust buildx scout imagetools')

function noteSubCommand(
  notes: ReachNotes,
  name: string,
  words: readonly ShellWord[],
  inner: NoteInner,
): undefined {
  switch (name) {
    case 'tag':
      for (const word of words.slice(1)) {
        if (NAMES_REGISTRY.test(word.value ?? '')) notes.word(word, 'image', { later: true })
      }
      return
    case 'context':
      for (const word of words) notes.mention(word, { later: true })
      return
    case 'pull':
    case 'push':
    case 'copy':
    case 'from':
      return noteEach(notes, words, 'image')
    case 'run':
    case 'create':
      return noteRun(notes, name, words, inner)
    case 'exec':
      return inner(notes, firstArgument(readBehind(['exec'], words)).behind)
    case 'login':
    case 'logout': {
      const servers = readBehind(['login'], words, BUILD).arguments
      for (const server of servers) notes.word(server, 'endpoint')
      return servers.length === 0 ? notes.usual('docker.io') : undefined
    }
    case 'search':
      return notes.usual('docker.io')
    case 'build':
    case 'bud':
    case 'buildx':
    case 'bake':
    case 'import':
    case 'add':
      noteEach(notes, words, 'repository')
      noteTags(notes, words)
      return notes.usual('docker.io')
    case 'imagetools':
      return noteEach(notes, words.slice(1), 'image')
    case 'compose':
    case 'stack':
    case 'swarm':
    case 'service':
    case 'plugin':
    case 'kube':
    case 'play':
    case 'machine':
      return noteCompose(notes, words, inner)
    default:
      return
  }
}

/** The registry of the image, and what is run in the container. */
function noteRun(notes: ReachNotes, name: string, words: readonly ShellWord[], inner: NoteInner): undefined {
  const read = readBehind([name], words)
  const { first, behind } = firstArgument(read)
  for (const image of first) notes.word(image, 'image')
  const entry = read.found.find(({ names }) => names.includes('--entrypoint'))?.word
  if (name === 'run') inner(notes, entry === undefined ? behind : [entry, ...behind])
}

const NAMES_REGISTRY = /^[^/]*[.:][^/]*\//

/** The name under which an image is kept says where it is pushed, now or later. */
function noteTags(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const { found } = readBehind(['build'], words, BUILD)
  const later = !found.some(({ names }) => names.includes('--push'))
  for (const { names, word } of found) {
    if (!names.includes('--tag') || word === undefined) continue
    if (word.value === undefined ? !later : NAMES_REGISTRY.test(word.value))
      notes.word(word, 'image', { later })
  }
}

const COMPOSE_LOCAL = split(
  'ps logs stop start restart down kill rm config ls images top port events version pause unpause cp stats wait inspect volumes list',
)

export function noteCompose(notes: ReachNotes, words: readonly ShellWord[], inner: NoteInner): undefined {
  const read = readBehind(['compose'], words, COMPOSE)
  for (const { names, word } of read.found) {
    if ((names.includes('-H') || names.includes('--host')) && word !== undefined) notes.word(word, 'endpoint')
  }
  const { first, behind } = firstArgument(read)
  const sub = first.at(-1)
  notes.mentioned(words)
  if (sub === undefined) return
  if (sub.value === undefined) return notes.open('word')
  if (COMPOSE_LOCAL.includes(sub.value)) return
  if (sub.value === 'exec') return inner(notes, behind.slice(1))
  if (sub.value === 'run') inner(notes, behind.slice(1))
  for (const word of behind) notes.word(word, 'link')
  notes.usual('docker.io')
}

const COMPOSE = new Set(split('-H --host'))

function noteEach(notes: ReachNotes, words: readonly ShellWord[], kind: 'image' | 'repository'): undefined {
  for (const word of readBehind(['build'], words, BUILD).arguments) notes.word(word, kind)
}

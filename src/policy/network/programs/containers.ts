/** Container engines: registries in the names of images, the engine's own address, and what is run inside. */

import type { ShellWord } from '../../shell/reading.ts'
import { afterOptions, split } from '../host-places.ts'
import type { ReachNotes } from '../reach-notes.ts'
import { readListedOptions } from '../read-listed-options.ts'

const BEFORE = split(
  '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection --root --namespace -n',
)

const RUN = split(
  '-a -c -e -h -l -m -p -u -v -w --add-host --annotation --attach --blkio-weight --cap-add --cap-drop --cgroup-parent ' +
    '--cgroupns --cidfile --cpu-period --cpu-quota --cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys --device ' +
    '--device-cgroup-rule --dns --dns-option --dns-search --domainname --entrypoint --env --env-file --expose --gpus ' +
    '--group-add --health-cmd --health-interval --hostname --ip --ip6 --ipc --isolation --label --label-file --link ' +
    '--log-driver --log-opt --mac-address --memory --memory-swap --mount --name --net --network --network-alias ' +
    '--oom-score-adj --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size ' +
    '--stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit --user --userns --uts --volume --volume-driver ' +
    '--volumes-from --workdir',
)

const BUILD = split(
  '--platform -t --tag -f --file --build-arg --target --cache-from --cache-to --label --network --secret --ssh -o --output ' +
    '--creds --authfile --progress --builder --build-context --iidfile --src-creds --dest-creds',
)

/** Runs what stands behind the container, as if it were a command of the line. */
export type NoteInner = (notes: ReachNotes, words: readonly ShellWord[]) => undefined

export function noteContainers(notes: ReachNotes, words: readonly ShellWord[], inner: NoteInner): undefined {
  const at = subCommandAt(words)
  const before = readListedOptions(words.slice(0, at), BEFORE)
  for (const { name, word } of before.found) {
    if (word === undefined) continue
    if (name === '-H' || name === '--host' || name === '--url') notes.word(word, 'endpoint')
    else if (name === '-c' || name === '--context' || name === '--connection') notes.open('settings')
  }
  const [sub, ...rest] = words.slice(at)
  if (sub === undefined) return
  if (sub.value === undefined) return notes.open('word')
  // `docker image pull` is `docker pull`.
  const isGroup = ['image', 'container', 'builder', 'manifest', 'trust', 'buildx', 'scout'].includes(
    sub.value,
  )
  const first = isGroup ? (rest[0]?.value ?? '') : sub.value
  // Only a manifest or a builder's image is looked at where it lies.
  const name =
    first === 'inspect' && isGroup && sub.value !== 'image' && sub.value !== 'container' ? 'pull' : first
  noteSubCommand(notes, name, isGroup ? rest.slice(1) : rest, inner)
}

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
      return noteEach(notes, words, 'image')
    case 'run':
    case 'create': {
      const [image, ...command] = afterOptions(words, RUN)
      if (image === undefined) return
      notes.word(image, 'image')
      return name === 'run' ? inner(notes, command) : undefined
    }
    case 'exec':
      return inner(
        notes,
        afterOptions(words, split('-e -u -w --env --env-file --user --workdir --detach-keys')).slice(1),
      )
    case 'login':
    case 'logout': {
      const [server] = readListedOptions(words, split('-u -p --username --password --authfile')).arguments
      return server === undefined ? notes.usual('docker.io') : notes.word(server, 'endpoint')
    }
    case 'search':
      return notes.usual('docker.io')
    case 'build':
    case 'buildx':
    case 'bake':
    case 'import':
    case 'add':
      noteEach(notes, words, 'repository')
      noteTags(notes, words)
      return notes.usual('docker.io')
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

const NAMES_REGISTRY = /^[^/]*[.:][^/]*\//

/** The name under which an image is kept says where it is pushed, now or later. */
function noteTags(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const read = readListedOptions(words, BUILD)
  const later = !read.has('--push')
  for (const { name, word } of read.found) {
    if ((name !== '-t' && name !== '--tag') || word === undefined) continue
    if (word.value === undefined ? !later : NAMES_REGISTRY.test(word.value))
      notes.word(word, 'image', { later })
  }
}

const COMPOSE = split(
  '-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel -H --host',
)
const COMPOSE_LOCAL = split(
  'ps logs stop start restart down kill rm config ls images top port events version pause unpause cp stats wait inspect volumes list',
)

export function noteCompose(notes: ReachNotes, words: readonly ShellWord[], inner: NoteInner): undefined {
  const [sub, ...rest] = afterOptions(words, COMPOSE)
  for (const { name, word } of readListedOptions(words.slice(0, words.length - rest.length), COMPOSE).found) {
    if ((name === '-H' || name === '--host') && word !== undefined) notes.word(word, 'endpoint')
  }
  if (sub === undefined) return
  if (sub.value === undefined) return notes.open('word')
  if (COMPOSE_LOCAL.includes(sub.value)) return
  if (sub.value === 'exec')
    return inner(notes, afterOptions(rest, split('-e -u -w --env --user --workdir --index')).slice(1))
  noteEach(notes, rest, 'link')
  notes.usual('docker.io')
}

function noteEach(
  notes: ReachNotes,
  words: readonly ShellWord[],
  kind: 'image' | 'repository' | 'link',
): undefined {
  for (const word of readListedOptions(words, BUILD).arguments) notes.word(word, kind)
}

function subCommandAt(words: readonly ShellWord[]): number {
  return words.length - afterOptions(words, BEFORE).length
}

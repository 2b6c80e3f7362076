/** ssh and what goes over it. */

import { readOptions } from '../../shell/options/read-options.ts'
import type { ShellWord } from '../../shell/reading.ts'
import { type HostPlaces, noteByPlaces, split } from '../host-places.ts'
import type { ReachNotes } from '../reach-notes.ts'

const SSH_OPTIONS: HostPlaces['options'] = {
  logins: '-J',
  sshOption: '-o',
  settings: '-F',
}

const SSH = {
  options: { ...SSH_OPTIONS, forward: '-L -R -W' },
  values: '-B -b -c -D -E -e -I -i -l -m -O -P -p -Q -S -w',
  quiet: '-V -Q -G',
} as const satisfies HostPlaces

const SSH_VALUES = new Set([...Object.values(SSH.options), SSH.values].flatMap((names) => split(names)))

/** Behind the host stands a command for the other machine, which the reading of the line judges by itself. */
export function noteSsh(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const [host, ...behind] = readOptions('ssh', words, SSH_VALUES).arguments
  // Options may also stand between the host and the command.
  const [command] = readOptions('ssh', behind, SSH_VALUES).arguments
  const end = command === undefined ? behind.length : behind.indexOf(command)
  const options = [
    ...words.slice(0, host === undefined ? words.length : words.indexOf(host)),
    ...behind.slice(0, end),
  ]
  if (readOptions('ssh', options, SSH_VALUES).has(...split(SSH.quiet))) return
  noteByPlaces(notes, options, SSH, 'ssh')
  if (host !== undefined) notes.word(host, 'login')
}

const COPY: HostPlaces = {
  arguments: 'remote',
  options: { ...SSH_OPTIONS, settings: '-F -S -D' },
  values: '-c -i -l -P -X -b -B -R -s',
}

const RSYNC: HostPlaces = {
  arguments: 'remote',
  options: { transport: '-e --rsh', remote: '--files-from', endpoint: '--proxy', settings: '--config' },
  values:
    '-@ --usermap --groupmap --max-alloc --compress-choice --compress-level --skip-compress --contimeout --address --sockopts ' +
    '--out-format --early-input --stop-after --stop-at --protocol --iconv --checksum-seed --checksum-choice --stderr ' +
    '--modify-window --outbuf',
  opens: '--daemon',
  quiet: '-V --version --help',
}

export const SSH_PROGRAMS: readonly [names: string, places: HostPlaces][] = [
  ['scp pscp', COPY],
  ['sftp psftp', { ...COPY, first: 'place', arguments: undefined }],
  ['rsync', RSYNC],
  ['ssh-copy-id', { arguments: 'login', options: { ...SSH_OPTIONS }, values: '-i -p -t' }],
  [
    'mosh et eternalterminal',
    { first: 'login', options: { settings: '--ssh' }, values: '-p --port --server --predict' },
  ],
  ['cpio mt dump restore rmt', { options: { remote: '-F -I -O -f --file' }, quiet: '--force-local' }],
  ['unison csync2 lsyncd', { arguments: 'link', options: { settings: '-sshcmd -sshargs -rshcmd' } }],
]

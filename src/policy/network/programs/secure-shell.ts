/** ssh and what goes over it. */

import type { ShellWord } from '../../shell/reading.ts'
import { afterOptions, type HostPlaces, noteByPlaces, split } from '../host-places.ts'
import type { ReachNotes } from '../reach-notes.ts'
import { readListedOptions } from '../read-listed-options.ts'

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

/** Behind the host stands a command for the other machine, which the reading of the line judges by itself. */
export function noteSsh(notes: ReachNotes, words: readonly ShellWord[]): undefined {
  const valued = [...Object.values(SSH.options), SSH.values].flatMap((names) => split(names))
  const rest = afterOptions(words, valued)
  const [host, ...behind] = rest
  // Options may also stand between the host and the command.
  const command = afterOptions(behind, valued)
  const options = [
    ...words.slice(0, words.length - rest.length),
    ...behind.slice(0, behind.length - command.length),
  ]
  const quiet = readListedOptions(options, valued).has(...split(SSH.quiet))
  if (quiet) return
  noteByPlaces(notes, options, SSH)
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
    '-B -f -T -M -@ --rsync-path --exclude --exclude-from --include --include-from --filter --backup-dir --suffix --chmod ' +
    '--chown --usermap --groupmap --max-delete --max-size --min-size --max-alloc --partial-dir --temp-dir --compare-dest ' +
    '--copy-dest --link-dest --compress-choice --compress-level --skip-compress --timeout --contimeout --address --port ' +
    '--sockopts --out-format --log-file --log-file-format --password-file --early-input --bwlimit --stop-after --stop-at ' +
    '--write-batch --only-write-batch --read-batch --protocol --iconv --checksum-seed --checksum-choice --block-size --info ' +
    '--debug --stderr --remote-option --modify-window --outbuf',
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
  ['unison csync2 lsyncd', { arguments: 'link', options: { settings: '-sshcmd -sshargs -rshcmd' } }],
]

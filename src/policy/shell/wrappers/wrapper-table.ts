/**
 * Programs that run another one, with the options that are known to change nothing about what is run. Options that
 * write a file, change the folder or run something of their own are left out on purpose: with them the wrapper counts
 * as not understood.
 */
import type { OptionTable } from './wrapper-options.ts'

export interface Wrapper extends OptionTable {
  /** It adds no power of its own to what it runs. */
  readonly transparent?: boolean
  /** The shell itself does it: a `cd` behind it changes the shell's folder. */
  readonly inShell?: boolean
  /** Words between the options and the command. */
  readonly positionals?: number
  /** `NAME=value` may stand before the command. */
  readonly assignments?: boolean
  /** A lone `-` is an option. */
  readonly dash?: boolean
  /** `-10`, as in `nice -10`. */
  readonly numbers?: boolean
  /** With one of these it runs nothing. */
  readonly quiet?: readonly string[]
  /** The words are put together with spaces, and a shell reads them: `watch`, `eval`, `ssh`. */
  readonly joined?: boolean
  /** With one of these it takes the words as they are after all. */
  readonly unjoined?: readonly string[]
  /** An option whose value a shell reads: `flock -c`. */
  readonly script?: readonly string[]
  /** Without a command it opens a shell: always, or with one of these options. */
  readonly opensShell?: true | readonly string[]
  /** Where it runs is not the folder of the line: another root, another machine. */
  readonly elsewhere?: boolean
}

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    transparent: true,
    assignments: true,
    dash: true,
    flags: 'i0v',
    values: 'u',
    longFlags: ['ignore-environment', 'null', 'debug'],
    longValues: ['unset'],
  },
  nice: { transparent: true, numbers: true, values: 'n', longValues: ['adjustment'] },
  nohup: { transparent: true },
  timeout: {
    transparent: true,
    positionals: 1,
    flags: 'vfp',
    values: 'ks',
    longFlags: ['preserve-status', 'foreground', 'verbose'],
    longValues: ['kill-after', 'signal'],
  },
  time: { transparent: true, flags: 'pvlhq', longFlags: ['portability', 'verbose', 'quiet'] },
  stdbuf: { transparent: true, values: 'ioe', longValues: ['input', 'output', 'error'] },
  setsid: { transparent: true, flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'] },
  ionice: {
    transparent: true,
    flags: 't',
    values: 'cnpPu',
    longFlags: ['ignore'],
    longValues: ['class', 'classdata', 'pid', 'pgid', 'uid'],
    quiet: ['-p', '-P', '-u', '--pid', '--pgid', '--uid'],
  },
  chrt: {
    transparent: true,
    positionals: 1,
    flags: 'abdfimoprRv',
    values: 'TPD',
    quiet: ['-m', '-p'],
    longFlags: ['batch', 'deadline', 'fifo', 'idle', 'other', 'rr', 'reset-on-fork', 'verbose'],
    longValues: ['sched-runtime', 'sched-period', 'sched-deadline'],
  },
  taskset: {
    transparent: true,
    positionals: 1,
    flags: 'acp',
    quiet: ['-p'],
    longFlags: ['all-tasks', 'cpu-list'],
  },
  command: { transparent: true, inShell: true, flags: 'pvV', quiet: ['-v', '-V'] },
  builtin: { transparent: true, inShell: true },
  exec: { transparent: true, inShell: true, flags: 'cl', values: 'a' },
  '-': { transparent: true, inShell: true },
  noglob: { transparent: true, inShell: true },
  nocorrect: { transparent: true, inShell: true },
  busybox: { transparent: true },
  toybox: { transparent: true },
  chronic: { transparent: true },
  caffeinate: { transparent: true, flags: 'dimsu', values: 't' },
  eval: { transparent: true, inShell: true, joined: true },
  watch: {
    transparent: true,
    joined: true,
    flags: 'bcCdegprtwx',
    values: 'nq',
    longFlags: [
      'beep',
      'color',
      'differences',
      'errexit',
      'chgexit',
      'precise',
      'no-rerun',
      'no-title',
      'no-wrap',
      'exec',
    ],
    longValues: ['interval', 'equexit'],
    longOptional: ['differences'],
    unjoined: ['-x', '--exec'],
  },
  sudo: {
    assignments: true,
    flags: 'ABbEHiKklNnPSsVv',
    values: 'CghpTtru',
    longFlags: [
      ...[
        'askpass',
        'bell',
        'background',
        'preserve-env',
        'set-home',
        'login',
        'remove-timestamp',
        'reset-timestamp',
      ],
      ...['list', 'no-update', 'non-interactive', 'preserve-groups', 'stdin', 'shell', 'version', 'validate'],
    ],
    longValues: ['close-from', 'group', 'host', 'prompt', 'command-timeout', 'type', 'role', 'user'],
    longOptional: ['preserve-env'],
    quiet: ['-l', '-v', '-V', '-K', '--list', '--validate', '--version', '--remove-timestamp'],
    opensShell: ['-s', '-i', '--shell', '--login'],
  },
  doas: { flags: 'nsL', values: 'au', quiet: ['-L'], opensShell: ['-s'] },
  pkexec: { longFlags: ['disable-internal-agent', 'keep-cwd'], longValues: ['user'], opensShell: true },
  chroot: {
    positionals: 1,
    elsewhere: true,
    opensShell: true,
    longFlags: ['skip-chdir'],
    longValues: ['userspec', 'groups'],
  },
  flock: {
    positionals: 1,
    flags: 'sexnuoFv',
    values: 'wEc',
    longFlags: ['shared', 'exclusive', 'nonblock', 'nb', 'unlock', 'close', 'no-fork', 'verbose'],
    longValues: ['timeout', 'wait', 'conflict-exit-code', 'command'],
    script: ['-c', '--command'],
  },
  ssh: {
    joined: true,
    positionals: 1,
    elsewhere: true,
    flags: '46AaCfGgKkMNnqsTtVvXxYy',
    values: 'bciJlmp',
  },
}

/** Programs that run others in ways that are not followed: every word might be the program. */
export const UNFOLLOWED: ReadonlySet<string> = new Set(
  (
    'parallel sem unshare nsenter bwrap firejail proot fakeroot fakechroot systemd-run systemd-inhibit machinectl ' +
    'strace ltrace dtrace dtruss perf valgrind gdb lldb rr catchsegv ld.so setarch arch linux32 linux64 numactl prlimit ' +
    'cgexec capsh setpriv sg newgrp start-stop-daemon daemonize at batch entr hyperfine unbuffer expect rlwrap ' +
    'xvfb-run dbus-run-session dbus-launch proxychains proxychains4 torsocks torify faketime direnv cross-env dotenv ' +
    'tmux screen dtach abduco socat ncat nc su-exec gosu runcon chpst softlimit envdir setuidgid s6-setuidgid ' +
    'aws-vault op doppler chamber mosh rsh rexec repeat jobs fc jexec lxc-attach distrobox toolbox flatpak-spawn'
  ).split(' '),
)

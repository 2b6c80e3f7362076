/**
 * Programs that run another one, with the options that are known to change nothing about what is run. Options that
 * write a file, change the folder or run something of their own are left out on purpose: with them the wrapper counts
 * as not understood.
 */

export interface Wrapper {
  /** As the rows of programs name them: `=` behind one that takes a value, `[=]` where it may be glued. */
  readonly options?: string
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
    options: '-i --ignore-environment, -0 --null, -v --debug, -u --unset=',
  },
  nice: { transparent: true, numbers: true, options: '-n --adjustment=' },
  nohup: { transparent: true },
  timeout: {
    transparent: true,
    positionals: 1,
    options: '-v --verbose, -f --foreground, -p --preserve-status, -k --kill-after=, -s --signal=',
  },
  time: { transparent: true, options: '-p --portability, -v --verbose, -q --quiet, -l, -h' },
  stdbuf: { transparent: true, options: '-i --input=, -o --output=, -e --error=' },
  setsid: { transparent: true, options: '-c --ctty, -f --fork, -w --wait' },
  ionice: {
    transparent: true,
    options: '-t --ignore, -c --class=, -n --classdata=, -p --pid=, -P --pgid=, -u --uid=',
    quiet: ['-p', '-P', '-u', '--pid', '--pgid', '--uid'],
  },
  chrt: {
    transparent: true,
    positionals: 1,
    options:
      '-a, -b --batch, -d --deadline, -f --fifo, -i --idle, -m, -o --other, -p, -r --rr, -R --reset-on-fork, -v --verbose, ' +
      '-T --sched-runtime=, -P --sched-period=, -D --sched-deadline=',
    quiet: ['-m', '-p'],
  },
  taskset: { transparent: true, positionals: 1, options: '-a --all-tasks, -c --cpu-list, -p', quiet: ['-p'] },
  command: { transparent: true, inShell: true, options: '-p, -v, -V', quiet: ['-v', '-V'] },
  builtin: { transparent: true, inShell: true },
  exec: { transparent: true, inShell: true, options: '-c, -l, -a=' },
  '-': { transparent: true, inShell: true },
  noglob: { transparent: true, inShell: true },
  nocorrect: { transparent: true, inShell: true },
  busybox: { transparent: true },
  toybox: { transparent: true },
  chronic: { transparent: true },
  caffeinate: { transparent: true, options: '-d, -i, -m, -s, -u, -t=' },
  eval: { transparent: true, inShell: true, joined: true },
  watch: {
    transparent: true,
    joined: true,
    options:
      '-b --beep, -c --color, -C, -d, --differences[=], -e --errexit, -g --chgexit, -p --precise, -r --no-rerun, ' +
      '-t --no-title, -w --no-wrap, -x --exec, -n --interval=, -q --equexit=',
    unjoined: ['-x', '--exec'],
  },
  sudo: {
    assignments: true,
    options:
      '-A --askpass, -B --bell, -b --background, -E, --preserve-env[=], -H --set-home, -i --login, -K --remove-timestamp, ' +
      '-k --reset-timestamp, -l --list, -N --no-update, -n --non-interactive, -P --preserve-groups, -S --stdin, -s --shell, ' +
      '-V --version, -v --validate, -C --close-from=, -g --group=, -h --host=, -p --prompt=, -T --command-timeout=, ' +
      '-t --type=, -r --role=, -u --user=',
    quiet: ['-l', '-v', '-V', '-K', '--list', '--validate', '--version', '--remove-timestamp'],
    opensShell: ['-s', '-i', '--shell', '--login'],
  },
  doas: { options: '-n, -s, -L, -a=, -u=', quiet: ['-L'], opensShell: ['-s'] },
  pkexec: { options: '--disable-internal-agent, --keep-cwd, --user=', opensShell: true },
  chroot: {
    positionals: 1,
    elsewhere: true,
    opensShell: true,
    options: '--skip-chdir, --userspec=, --groups=',
  },
  flock: {
    positionals: 1,
    options:
      '-s --shared, -e -x --exclusive, -n --nonblock --nb, -u --unlock, -o --close, -F --no-fork, -v --verbose, ' +
      '-w --timeout --wait=, -E --conflict-exit-code=, -c --command=',
    script: ['-c', '--command'],
  },
  ssh: {
    joined: true,
    positionals: 1,
    elsewhere: true,
    options:
      '-4, -6, -A, -a, -C, -f, -G, -g, -K, -k, -M, -N, -n, -q, -s, -T, -t, -V, -v, -X, -x, -Y, -y, ' +
      '-b=, -c=, -i=, -J=, -l=, -m=, -p=',
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

/**
 * Programs that run, or send elsewhere, what is typed into them, and how each is called so that it doesn't wait for that. What is left
 * out by mistake is started unseen; what is in it by mistake is refused with a reason. So a program is here as soon as it has a prompt.
 */
import type { OptionForms } from './read-invocation.ts'

export interface ConsoleProgram extends OptionForms {
  /** With one of these it does its work and ends. */
  readonly ends?: readonly string[]
  /** With one of these it waits in any case. */
  readonly waits?: readonly string[]
  /** With that many words besides options it does its work and ends. Absent: with any number of them it waits. */
  readonly operands?: number
  /** It takes its keys from the terminal itself, whatever its input is. */
  readonly screen?: true
}

type Rows = Readonly<Record<string, ConsoleProgram>>

const all = (names: string, row: ConsoleProgram): Rows =>
  Object.fromEntries(names.split(' ').map((name) => [name, row]))

const SHELLS: Rows = {
  ...all('sh bash dash zsh ksh ksh93 mksh ash rbash yash fish csh tcsh elvish nu xonsh', {
    values: '-o -O -c --rcfile --init-file --command --init-command',
    ends: ['-c', '--command', '--commands'],
    waits: ['-s'],
    operands: 1,
    endsAtOperand: true,
  }),
  ...all('rc es osh ysh', { values: '-c', ends: ['-c'], operands: 1, endsAtOperand: true }),
  ...all('cmd wsl', { operands: 1 }),
  ...all('pwsh powershell', {
    singleDash: true,
    ends: '-c -C -command -Command -f -File -file -e -ec -EncodedCommand -encodedcommand'.split(' '),
    waits: ['-NoExit', '-noexit'],
    operands: 1,
  }),
}

const LANGUAGES: Rows = {
  ...all('node nodejs', {
    ends: ['-e', '-p', '-c', '-v', '--eval', '--print', '--check', '--test', '--run', '--v8-options'],
    waits: ['-i', '--interactive'],
    operands: 1,
    endsAtOperand: true,
  }),
  ...all('ts-node tsx babel-node coffee', {
    values: '-e -p -P --eval --print --project --tsconfig',
    ends: ['-e', '-p', '-v', '--eval', '--print'],
    waits: ['-i', '--interactive'],
    operands: 1,
    endsAtOperand: true,
  }),
  ...all('ruby jruby', {
    values: '-e -C -E -F -I -r -W',
    ends: ['-e', '-v', '-h'],
    operands: 1,
    endsAtOperand: true,
  }),
  perl: {
    values: '-e -E -I -M -m -F -x -C',
    ends: ['-e', '-E', '-v', '-h'],
    waits: ['-d'],
    operands: 1,
    endsAtOperand: true,
  },
  php: {
    values: '-r -f -c -d -B -R -E -F -S -t',
    ends: [
      '-r',
      '-f',
      '-i',
      '-m',
      '-l',
      '-v',
      '-S',
      '-R',
      '--ini',
      '--rf',
      '--rfunction',
      '--rc',
      '--rclass',
    ],
    waits: ['-a', '--interactive'],
    operands: 1,
    endsAtOperand: true,
  },
  ...all('lua lua5.1 lua5.2 lua5.3 lua5.4 luajit', {
    values: '-e -l -W',
    ends: ['-e', '-v'],
    waits: ['-i'],
    operands: 1,
    endsAtOperand: true,
  }),
  R: {
    values: '-e -f -g -d --file --args',
    ends: ['-e', '-f', '--file'],
    waits: ['--interactive'],
    operands: 1,
  },
  julia: {
    values: '-e -E -J -L -p -m -t -C --eval --print --project',
    ends: ['-e', '-E', '-v', '--eval', '--print'],
    waits: ['-i'],
    operands: 1,
    endsAtOperand: true,
  },
  ...all('octave octave-cli', {
    values: '--eval --path',
    ends: ['--eval'],
    waits: ['--persist', '--interactive'],
    operands: 1,
  }),
  ...all('ipython ipython3 bpython ptpython ptipython xonsh', {
    values: '-c -m',
    ends: ['-c', '-m'],
    waits: ['-i'],
    operands: 1,
    endsAtOperand: true,
  }),
  ...all('irb', { operands: 1, endsAtOperand: true }),
  ...all('pry', { values: '-e -r', ends: ['-e'], operands: 1 }),
  ...all('ghci', { values: '-e', ends: ['-e'] }),
  ...all('iex utop groovysh jshell psysh rebar3 maxima gnuplot-x11', {}),
  erl: { singleDash: true, ends: ['-noshell', '-noinput', '-version'] },
  ...all('scala', { values: '-e', ends: ['-e', '-version'], operands: 1 }),
  ...all('clj clojure', {
    values: '-e -M -X -T -A -m',
    ends: ['-e', '-M', '-X', '-T', '-P', '-Spath'],
    operands: 1,
  }),
  sbcl: { values: '--script --load --eval --core', ends: ['--script', '--non-interactive', '--quit'] },
  guile: { values: '-c -s -l', ends: ['-c', '-s'], operands: 1, endsAtOperand: true },
  racket: {
    values: '-e -l -f -t -m',
    ends: ['-e', '-l', '-f', '-t'],
    waits: ['-i'],
    operands: 1,
    endsAtOperand: true,
  },
  ocaml: { values: '-e -I', ends: ['-e', '-version'], operands: 1 },
  swift: { values: '-e', ends: ['-e'], operands: 1 },
  ...all('tclsh wish', { operands: 1, endsAtOperand: true }),
  expect: { values: '-c -f', ends: ['-c', '-f'], waits: ['-i', '-D'], operands: 1, endsAtOperand: true },
  gdb: {
    values: '-x -p -args -ex -command -pid',
    singleDash: true,
    ends: ['-batch', '--batch', '-batch-silent'],
  },
  lldb: { values: '-o -s -S -O -p -n', ends: ['-b', '--batch'] },
  ...all('jdb pdb ipdb pdb3 byebug', {}),
  dc: { values: '-e -f', ends: ['-e', '-f'], operands: 1 },
  sbt: { operands: 1 },
}

const DATABASES: Rows = {
  psql: {
    ends: ['-c', '-f', '-l', '--command', '--file', '--list'],
  },
  ...all('mysql mariadb', {
    ends: ['-e', '--execute'],
  }),
  ...all('sqlite3 sqlite sqlcipher', {
    singleDash: true,
    values: '-cmd -init -separator -nullvalue -newline -vfs -mmap -maxsize',
    ends: ['-version', '-help'],
    waits: ['-interactive'],
    operands: 2,
  }),
  duckdb: {
    singleDash: true,
    values: '-c -s -f -cmd -init',
    ends: ['-c', '-s', '-f', '-version'],
    operands: 2,
  },
  ...all('redis-cli valkey-cli keydb-cli', {
    values:
      '-h -p -s -a -u -n -r -i -d -D --user --pass --cacert --cert --key --sni --tls-ciphers --eval --rdb --pattern --intrinsic-latency',
    ends: '--scan --bigkeys --memkeys --hotkeys --stat --latency --latency-history --latency-dist --rdb --pipe --eval --cluster'.split(
      ' ',
    ),
    operands: 1,
    endsAtOperand: true,
  }),
  ...all('mongosh mongo', {
    values: '-f -u -p --eval --file --username --password --host --port --authenticationDatabase',
    ends: ['--eval', '--file', '-f'],
    waits: ['--shell'],
  }),
  cqlsh: {
    values: '-e -f -u -k -p --execute --file --username --password --keyspace',
    ends: ['-e', '-f', '--execute', '--file'],
  },
  ...all('clickhouse-client', {
    values: '-q -h -u -d -n --query --queries-file --host --user --password --database --port',
    ends: ['-q', '--query', '--queries-file'],
  }),
  ...all('sqlcmd', { values: '-S -U -P -d -Q -q -i -o', ends: ['-Q', '-i'] }),
  ...all('usql', {
    values: '-c -f --command --file',
    ends: ['-c', '-f', '--command', '--file'],
  }),
  ...all('snowsql', { values: '-q -f -a -c -u -d', ends: ['-q', '-f'] }),
  ...all('influx', {
    singleDash: true,
    values: '-execute -host -database',
    ends: ['-execute', '--execute'],
    operands: 1,
  }),
  'cypher-shell': { values: '-a -u -p -f -d', ends: ['-f', '--file'], operands: 1 },
  ...all('sqlplus isql osql bteq db2 hive beeline spark-shell spark-sql pyspark trino presto', {
    values: '-e -f --execute --file',
    ends: ['-e', '-f', '--execute', '--file'],
  }),
}

const ELSEWHERE: Rows = {
  ...all('ssh', {
    ends: ['-N', '-V', '-G', '-Q', '-O', '-f'],
    operands: 2,
  }),
  ...all('rsh remsh', { values: '-l', operands: 2 }),
  sftp: { ends: ['-b'] },
  ...all('lftp', { values: '-c -e -f -u -p', ends: ['-c', '-f'] }),
  ...all('nc ncat netcat nc.openbsd nc.traditional', {
    values: '-e -i -p -q -s -w -W -X -x -I -O -T -V -c -m -g',
    ends: ['-z', '-d', '-h'],
  }),
  ...all(
    'ftp tnftp telnet rlogin mosh minicom picocom cu tio cgdb et eternalterminal websocat wscat openvt',
    {},
  ),
}

const SCREENS: Rows = {
  ...all(
    'less more most pg vi vim nvim view vimdiff rvim rview ex nano pico rnano micro hx helix kak joe jed ne mcedit mc ranger nnn lf vifm ' +
      'tig lazygit gitui k9s info pinfo vipw vigr sudoedit mutt neomutt alpine zellij byobu dvtm',
    { screen: true },
  ),
  ...all('emacs', {
    singleDash: true,
    ends: ['--batch', '-batch', '--script', '-script', '--daemon'],
    screen: true,
  }),
  emacsclient: { values: '-e --eval', ends: ['-n', '-e', '--no-wait', '--eval'], screen: true },
  ed: {},
  visudo: { values: '-f', ends: ['-c', '--check'], screen: true },
  crontab: { ends: ['-l', '-r'], operands: 1, screen: true },
  ...all('w3m lynx links elinks', {
    singleDash: true,
    ends: ['-dump', '--dump', '-source', '-dump_source', '-listonly'],
    screen: true,
  }),
}

/** Without a command they open a shell. Those that are followed by the reading of the line are not here. */
const OPENERS: Rows = {
  ...all('login newgrp', {}),
  sg: { values: '-c', ends: ['-c'], operands: 2 },
  ...all('fakeroot proot', {
    values: '-l -s -i -b -w -r -R --lib --faked',
    operands: 1,
    endsAtOperand: true,
  }),
  script: { ends: ['-c', '--command'] },
  'nix-shell': { values: '-p -A --run --command', ends: ['--run'] },
}

/** What passes on, or waits for, what is typed: `cat | sh`, `cat > x`, `read line`. */
const READERS: Rows = {
  ...all('cat tac rev nl head tail sort cut uniq paste column iconv expand unexpand', { operands: 1 }),
  ...all('tee tr read readarray mapfile select', {}),
  ...all('base64 base32 xxd', { values: '-w -l -c -s', operands: 1 }),
  ...all('sponge', {}),
  ...all('grep egrep fgrep ggrep', {
    ends: ['-e', '-f', '-r', '-R', '--regexp', '--file', '--recursive', '--dereference-recursive'],
    operands: 2,
  }),
  ...all('jq yq', {
    values: '-f -L --from-file --indent',
    ends: ['-n', '--null-input'],
    operands: 2,
  }),
  ...all('wc tsort pr', { ends: ['--files0-from'], operands: 1 }),
  ...all('fold fmt', { values: '-w -p', operands: 1 }),
  od: { values: '-A -j -N -S -t -w', operands: 1 },
  hexdump: { values: '-e -f -n -s', operands: 1 },
  shuf: { values: '-n -i -o', ends: ['-e', '-i', '--echo', '--input-range'], operands: 1 },
  strings: { values: '-n -t -e', operands: 1 },
  ...all('gunzip zcat xzcat unxz bzcat bunzip2 zstdcat unzstd', { operands: 1 }),
  m4: { operands: 1 },
  gnuplot: { values: '-e -c', ends: ['-e', '-c'], operands: 1 },
  swipl: { values: '-g -t -f -s', ends: ['-g', '-t'], operands: Number.POSITIVE_INFINITY },
  Rscript: { values: '-e', ends: ['-e'], operands: 1 },
  /** Without a file they do what they are told by their input. */
  ...all('patch gpatch', {
    values: '-p -d -i -B -D -F -g -o -r -V -Y -z --input --directory --strip',
    ends: ['-i', '--input'],
    operands: 2,
  }),
  ...all('at batch', { values: '-f -q -t', ends: ['-f', '-l', '-d', '-r', '-c', '-V'] }),
  cpio: {
    values: '-F -I -D -H -M -C -E -O -R -W --file --directory',
    ends: ['-F', '-I', '--file', '-o', '-p'],
  },
}

export const CONSOLE_PROGRAMS: ReadonlyMap<string, ConsoleProgram> = new Map(
  Object.entries({ ...SHELLS, ...LANGUAGES, ...DATABASES, ...ELSEWHERE, ...SCREENS, ...OPENERS, ...READERS }),
)

export const PYTHON: ConsoleProgram = {
  values: '-c -m -W -X -Q',
  ends: ['-c', '-m', '-V'],
  waits: ['-i'],
  operands: 1,
  endsAtOperand: true,
}

/** `python3.12`, `pypy3`. */
export const IS_PYTHON = /^(?:python|pypy)(?:\d(?:\.\d+)?t?)?$/

/** Modules that are consoles or debuggers. */
export const CONSOLE_MODULE =
  /^(?:code|pdb|ipdb|IPython|ptpython|bpython|asyncio|idlelib\b.*|pudb|trepan\b.*|pty)$/

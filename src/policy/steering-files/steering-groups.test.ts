import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ENGLISH } from '../../core/reasons/english.ts'
import { compilePolicy, lexicalFacts } from '../index.ts'
import { knownPrograms } from '../known-programs.ts'
import { groupReason } from './group-reason.ts'
import { groupsReadBy, isRuledByFolder, STEERING_GROUPS } from './steering-groups.ts'

/**
 * Programs that the starter vouches for and that take neither settings nor code from the folder, its parents or the home
 * folder, in what it vouches for. A new program belongs here or among the readers of a group.
 */
const UNSTEERED = [
  'ag apk apropos apt-cache apt-get apt-mark apt arch at batch atrm atq awk gawk mawk nawk original-awk base32',
  'basenc base64 basename dirname bc blkid brew bzcat xzcat lzcat zstdcat bzip2 bunzip2 cal ncal cat gcat cd',
  'pushd popd chmod chown chgrp cksum clear cmake cmp column comm command cp crontab csplit cut date gdate dc',
  'dd df diff gdiff dirs dmesg dnf dnf5 yum dpkg-deb dpkg-query dpkg du echo env expand expr factor fd fdfind',
  'fdisk sfdisk cfdisk gdisk find gfind fmt fold free gcc g++ cc c++ clang clang++ getent grep egrep fgrep',
  'ggrep rgrep groups gzip gunzip pigz head ghead hexdump hd host hostname iconv id ifconfig info install ip',
  'join journalctl jq gojq kill killall ldd ln locale look ls dir vdir lsblk lscpu lsof ltrace make gmake',
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum mkdir mktemp mount mv netstat ninja nl nm',
  'nproc nslookup numfmt objdump od openssl pacman parted paste patch perl pgrep ping pkill pr printenv printf',
  'ps pwd readelf readlink greadlink realpath grealpath rev rm rmdir rpm rsync sed gsed seq service shasum',
  'shred shuf shutdown reboot halt poweroff size sleep snap sort gsort split ss stat gstat strace strings stty',
  'sum systemctl tac tail gtail tar gtar bsdtar tee test [ touch tr traceroute tree true false : truncate tsort',
  'tty type uname unexpand uniq unzip uptime vmstat w watch wc whatis whereis which gwhich who whoami whois',
  'wipefs xargs xxd xz unxz lzma unlzma yes yq zcat gzcat zgrep zegrep zfgrep bzgrep xzgrep zip zipinfo',
].flatMap((line) => line.split(' '))

describe('the groups of files that steer programs', () => {
  it('say of every program that the starter vouches for whether files steer it', () => {
    const vouched = [...knownPrograms()].filter(
      ([, { reads, commands }]) => reads !== undefined || commands !== undefined,
    )
    const unsorted = vouched
      .map(([program]) => program)
      .filter((program) => groupsReadBy(program).length === 0 && !UNSTEERED.includes(program))
    expect(unsorted).toEqual([])
    expect(UNSTEERED.filter((program) => groupsReadBy(program).length > 0)).toEqual([])
  })

  it('name only programs that have a profile', () => {
    const named = STEERING_GROUPS.flatMap(({ readBy }) => readBy)
    expect(named.filter((program) => !knownPrograms().has(program))).toEqual([])
  })

  it.each([
    'git status',
    'biome check --staged',
    'biome check .',
    'ruff check --no-fix .',
    'black --check .',
    'npm ls',
    'tsc --showConfig',
    'cargo pkgid',
    'go env GOPATH',
    'deno fmt --check',
    'terraform fmt -check',
    'pip list',
    'gem list',
    'gh version',
    'ack x',
    'eslint --env-info',
    'bun pm ls',
    'poetry --no-plugins check',
    'docker-compose ls',
  ])('%s is vouched for in a root, and nowhere else', (command) => {
    const judged = (line: string, cwd = '/space') => {
      const policy = compilePolicy({ extends: 'banksman:starter' }, { roots: ['/space'], home: '/home/ana' })
      const call = { tool: 'Bash', arguments: { command: line }, cwd }
      return policy.evaluate(call, lexicalFacts(policy, call)).kind
    }
    expect(judged(command)).toBe('allow')
    expect(judged(`cd /space && ${command}`)).toBe('allow')
    for (const line of [
      `cd evil && ${command}`,
      `(cd ./evil; ${command})`,
      `cd /space/evil && ${command}`,
      `pushd evil && ${command}`,
      `env -C evil ${command}`,
      `find . -execdir ${command} \\;`,
    ])
      expect(judged(line), line).not.toBe('allow')
    expect(judged(command, '/space/evil')).not.toBe('allow')
  })

  it('a project that an option names in another folder is as good as another folder', () => {
    const policy = compilePolicy({ extends: 'banksman:starter' }, { roots: ['/space'], home: '/home/ana' })
    for (const [command, kind] of [
      ['tsc --showConfig -p tsconfig.build.json', 'allow'],
      ['tsc --showConfig -p evil', 'ask'],
      ['tsc --showConfig --project evil/tsconfig.json', 'ask'],
      ['git -C evil status', 'ask'],
      ['npm --prefix evil ls', 'ask'],
    ]) {
      const call = { tool: 'Bash', arguments: { command: command! }, cwd: '/space' }
      expect(policy.evaluate(call, lexicalFacts(policy, call)).kind, command).toBe(kind)
    }
  })

  it('are ruled by the folder unless the files are meant in the home folder', () => {
    expect(isRuledByFolder('git')).toBe(true)
    expect(isRuledByFolder('curl')).toBe(false)
    expect(isRuledByFolder('ls')).toBe(false)
  })

  it('stand in the reference as they are here', () => {
    const page = readFileSync(new URL('../../../docs/reference/policy.md', import.meta.url), 'utf8')
    const rows = STEERING_GROUPS.map(({ name, files, why, everyday }) => {
      const listed = files.map((file) => `\`${file}\``).join(' ')
      return `| ${name} | ${listed} | ${ENGLISH[why]}${everyday === true ? ' (edited every day: an edit is not asked about)' : ''} |`
    })
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
  })

  it('have a message each', () => {
    for (const { name } of STEERING_GROUPS) expect(ENGLISH).toHaveProperty([groupReason(name).code], name)
  })
})

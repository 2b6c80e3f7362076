import { describe, expect, it } from 'vitest'
import { readShell } from '../read/read-shell.ts'

/** What the last command of the line is, and what it was looked through. */
const inner = (line: string) => {
  const command = readShell(line).commands.at(-1)
  return [command?.through.join(' '), command?.text]
}

describe('P5: wrappers that add nothing are looked through, and need no allow of their own', () => {
  it.each([
    ['env rm x', 'env'],
    ['env -i rm x', 'env'],
    ['env - rm x', 'env'],
    ['env -u A --unset=B LANG=C rm x', 'env'],
    ['nice rm x', 'nice'],
    ['nice -n 5 rm x', 'nice'],
    ['nice -5 rm x', 'nice'],
    ['nice --adjustment=5 -- rm x', 'nice'],
    ['nohup rm x', 'nohup'],
    ['timeout 5 rm x', 'timeout'],
    ['timeout -k 1 --signal=KILL --foreground 5s rm x', 'timeout'],
    ['time -p rm x', 'time'],
    ['command time -v rm x', 'command time'],
    ['stdbuf -oL -e 0 rm x', 'stdbuf'],
    ['setsid -w rm x', 'setsid'],
    ['ionice -c2 -n 7 rm x', 'ionice'],
    ['chrt -b 0 rm x', 'chrt'],
    ['taskset -c 1 rm x', 'taskset'],
    ['command rm x', 'command'],
    ['command -p -- rm x', 'command'],
    ['builtin rm x', 'builtin'],
    ['exec -a n rm x', 'exec'],
    ['noglob rm x', 'noglob'],
    ['busybox rm x', 'busybox'],
    ['toybox rm x', 'toybox'],
    ['/usr/bin/env /bin/rm x', 'env'],
    ["sh -c 'rm x'", 'sh'],
    ["bash -lc 'rm x'", 'bash'],
    ["bash -euo pipefail -c 'rm x'", 'bash'],
    ["/bin/dash -c -e 'rm x'", 'dash'],
    ["zsh -c 'rm x'", 'zsh'],
    ["ksh -c 'rm x'", 'ksh'],
    ["busybox sh -c 'rm x'", 'busybox sh'],
    ['eval rm x', 'eval'],
    ["eval 'rm' 'x'", 'eval'],
    ["watch -n 1 'rm x'", 'watch'],
    ['watch -x rm x', 'watch'],
    ['env nice timeout 1 sh -c \'eval "rm x"\'', 'env nice timeout sh eval'],
  ])('%s', (line, through) => {
    const { commands, doubts } = readShell(line)
    expect(inner(line)).toEqual([through, 'rm x'])
    expect(doubts).toEqual([])
    expect(commands.map(({ transparent }) => transparent)).toEqual([
      ...commands.slice(1).map(() => true),
      false,
    ])
  })
})

describe('P5: wrappers with powers of their own are looked through, and are no less than a command', () => {
  it.each([
    ['sudo rm x', 'sudo'],
    ['sudo -u root -E --group=wheel LANG=C rm x', 'sudo'],
    ['sudo -i rm x', 'sudo'],
    ['doas -u root rm x', 'doas'],
    ['pkexec --user root rm x', 'pkexec'],
    ["su -c 'rm x'", 'su'],
    ["su - root -c 'rm x'", 'su'],
    ["su --command='rm x' root", 'su'],
    ['runuser -u root -- rm x', 'runuser'],
    ["runuser root -c 'rm x'", 'runuser'],
    ["script -qc 'rm x' /dev/null", 'script'],
    ['flock /l rm x', 'flock'],
    ["flock /l -c 'rm x'", 'flock'],
    ['flock -n -w 5 /l rm x', 'flock'],
    ['chroot /r rm x', 'chroot'],
    ['ssh host rm x', 'ssh'],
    ["ssh -p 22 me@host 'rm x'", 'ssh'],
  ])('%s', (line, through) => {
    const { commands, doubts } = readShell(line)
    expect(inner(line)).toEqual([through, 'rm x'])
    expect(doubts).toEqual([])
    expect(commands[0]?.transparent).toBe(false)
  })

  it.each([
    ['xargs rm', 'xargs', 'rm …'],
    ['xargs -0 -n1 -P 4 rm -f', 'xargs', 'rm -f …'],
    ['xargs -I{} rm {} x', 'xargs', 'rm {} x'],
    ['xargs --replace=% rm a%', 'xargs', 'rm a%'],
    ['xargs sudo rm', 'xargs sudo', 'rm …'],
    ['find . -exec rm {} ;', 'find', 'rm {}'].map((text) => text.replace(' ;', ' \\;')),
    ['find . -name "*.ts" -exec rm -f {} +', 'find', 'rm -f {}'],
    ['find . -execdir rm {} \\;', 'find', 'rm {}'],
    ['find . -ok rm {} \\;', 'find', 'rm {}'],
    ['find . -okdir rm {} \\;', 'find', 'rm {}'],
    ['find . -type f -delete', 'find', 'rm …'],
    ["find . -exec sh -c 'rm x' \\;", 'find sh', 'rm x'],
    ['fd -e ts -x rm', 'fd', 'rm …'],
    ['fd x --exec-batch rm -f {}', 'fd', 'rm -f {}'],
    ['fdfind x -X rm {/}', 'fdfind', 'rm {/}'],
  ])('%s', (line, through, text) => {
    expect(inner(line ?? '')).toEqual([through, text])
    expect(readShell(line ?? '').doubts).toEqual([])
  })

  it('P5: what the input or the files bring is not known', () => {
    for (const line of ['xargs -I % rm a%', 'find . -exec rm a{} \\;', 'fd -x rm a{}']) {
      expect(readShell(line).commands[1]?.words).toEqual([
        expect.objectContaining({ value: undefined, pattern: false }),
      ])
    }
    expect(readShell('xargs rm').commands[1]?.words).toEqual([{ text: '…', value: undefined, pattern: true }])
  })

  it('every action of find is followed', () => {
    const line = 'find . -exec a {} \\; -o -exec b {} + -delete -exec c \\;'
    expect(readShell(line).commands.map(({ program }) => program)).toEqual(['find', 'a', 'b', 'rm', 'c'])
  })
})

describe('P5: a wrapper that runs nothing is a command like any other', () => {
  it.each([
    'env',
    'env -i',
    'env LANG=C',
    'time',
    'nice',
    'command -v rm',
    'exec',
    'xargs',
    'taskset -p 1',
    'ionice -p 1',
  ])('%s', (line) => {
    const { commands } = readShell(line)
    expect(commands).toHaveLength(1)
    expect(commands[0]?.transparent).toBe(false)
  })
})

describe('P5: what is wrapped has what its wrapper has', () => {
  it('redirections', () => {
    for (const line of [
      'env ls > out',
      "sh -c 'ls' > out",
      'find . -exec ls {} \\; > out',
      'sudo --weird ls > out',
    ]) {
      const { commands } = readShell(line)
      expect(commands.length).toBeGreaterThan(1)
      for (const { redirections } of commands)
        expect(redirections).toMatchObject([{ kind: 'write', target: 'out' }])
    }
  })

  it('expansions are run by the shell of the line, not by what is wrapped', () => {
    const { commands } = readShell('sudo echo $(rm x)')
    expect(commands.map(({ text, through }) => [text, through.join()])).toEqual([
      ['sudo echo $(rm x)', ''],
      ['echo $(rm x)', 'sudo'],
      ['rm x', ''],
    ])
  })

  it('a wrapper in doubt is not transparent', () => {
    expect(readShell('env --weird ls').commands[0]?.transparent).toBe(false)
    expect(readShell('sh -c "$X"').commands[0]?.transparent).toBe(false)
  })
})

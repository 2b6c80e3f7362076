import { describe, expect, it } from 'vitest'
import { isDisk, isVital } from './destruction.ts'
import { command, glob, later } from './fixtures/command.ts'
import { judgeProgram } from './judge-program.ts'

const kindOf = (words: Parameters<typeof command>[0], more = {}) =>
  judgeProgram(command(words, more), () => 'yes').kind

describe('what nothing repairs', () => {
  it.each([
    'rm -rf /',
    'rm -fr //',
    'rm -r -f /etc/',
    'rm --recursive /usr',
    'rm --rec /usr',
    'rm -R ~',
    'rm -rf ~/',
    'rm -rf /home/ana',
    'rm -rf /Users/ana',
    'rm -rf src/../..',
    'rm -rf ..',
    'rm -rf a b /var',
    'rm -f --no-preserve-root x',
    'rm -rf -- /',
    'rm / -rf',
    'chmod -R 777 /',
    'chown -R ana /usr',
    'dd if=/dev/zero of=/dev/sda bs=1M',
    'dd of=/dev/nvme0n1',
    'mkfs.ext4 /dev/sdb1',
    'mkfs -t ext4 /dev/vda',
    'shred /dev/sda',
    'wipefs -a /dev/sda',
    'find / -delete',
    'find ~ -delete',
    'tee /dev/sda',
    'cp x /dev/disk2',
  ])('P5: %s', (text) => expect(kindOf(text.split(' '))).toBe('destroys'))

  it('P5: spelt with wildcards, variables and from another folder', () => {
    expect(kindOf(['rm', '-rf', glob('/*')])).toBe('destroys')
    expect(kindOf(['rm', '-rf', glob('/etc/*')])).toBe('destroys')
    expect(kindOf(['rm', '-rf', glob('../*')])).toBe('destroys')
    expect(kindOf(['rm', '-rf', later('$HOME')])).toBe('destroys')
    expect(kindOf(['rm', '-rf', later('"$' + '{HOME}"/')])).toBe('destroys')
    expect(kindOf(['rm', '-rf', later('$HOME/*')])).toBe('destroys')
    expect(kindOf(['rm', '-rf', glob('*')], { folder: '/' })).toBe('destroys')
    expect(kindOf(['rm', '-rf', '.'], { folder: '~' })).toBe('destroys')
    expect(kindOf(['rm', '-rf', 'etc'], { folder: '/' })).toBe('destroys')
  })

  it('P5: whatever else is in doubt', () => {
    const doubts = [{ kind: 'assignment', text: 'X=1', because: 'X is set', start: 0, end: 3 }] as const
    expect(kindOf(['rm', '-rf', '/', later('$X')], { doubts, folder: undefined, through: ['sudo'] })).toBe(
      'destroys',
    )
  })
})

describe('what a person may want', () => {
  it.each([
    'rm -rf node_modules',
    'rm -rf .',
    'rm -rf /tmp/x',
    'rm -rf /home/ana/project',
    'rm -rf ~/project',
    'rm -rf ../other',
    'rm /etc',
    'rm -f ~',
    'chmod 644 /etc',
    'chmod -R 755 src',
    'dd if=/dev/sda of=disk.img',
    'mkfs.ext4 disk.img',
    'wipefs /dev/sda',
    'shred -u secret.txt',
    'find . -delete',
    'find / -name core -delete',
    'cp /dev/null x',
    'tee /dev/null',
  ])('is not denied: %s', (text) => expect(kindOf(text.split(' '))).toBe('unknown'))

  it('is not denied where it is not known', () => {
    expect(kindOf(['rm', '-rf', later('$DIR')])).toBe('unknown')
    expect(kindOf(['rm', '-rf', later('$HOME/$X')])).toBe('unknown')
    expect(kindOf(['rm', '-rf', later('$HOMEBREW')])).toBe('unknown')
    expect(kindOf(['rm', '-rf', glob('*')])).toBe('unknown')
    expect(kindOf(['rm', '-rf', 'etc'], { folder: undefined })).toBe('unknown')
  })
})

it('vital folders and disks by their names', () => {
  expect(['/', '~', '/ETC', '/home/ana', '..', '../..'].filter(isVital)).toHaveLength(6)
  expect(['', '.', '/tmp', '/home/ana/x', '~/x', '../x', 'etc'].filter(isVital)).toEqual([])
  expect(
    ['/dev/sda', '/dev/sda1', '/dev/nvme0n1p2', '/dev/mapper/root', '/dev/disk/by-id/x'].filter(isDisk),
  ).toHaveLength(5)
  expect(['/dev/null', '/dev/stdout', '/dev/tty', '/dev/shm/x', 'dev/sda'].filter(isDisk)).toEqual([])
})

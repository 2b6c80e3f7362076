/**
 * What nothing repairs: the invocations that a profile calls so, of folders and devices without which a machine or a
 * person's work is gone. It is read loosely, since a doubt about the rest of a command does not make it harmless.
 */
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import type { Destruction, Profile } from './profile.ts'
import { plainPathOfWord } from './where-it-leads.ts'

/** The first destruction of the profile that the command is. */
export function findDestruction(command: ShellCommand, profile: Profile): Destruction | undefined {
  return profile.destroys?.find((destruction) => destroys(command, destruction))
}

/** The root, a home folder, a folder of the system, or the folder above the line's own. */
export function isVital(path: string): boolean {
  const plain = path.toLowerCase()
  return VITAL.has(plain) || /^\/(home|users)\/[^/]+$/.test(plain) || /^\.\.(\/\.\.)*$/.test(plain)
}

/** A disk or a part of one: what is written there is written over a file system. */
export function isDisk(path: string): boolean {
  return /^\/dev\/((s|h|v|xv)d[a-z]|nvme\d|mmcblk\d|r?disk\d|disk\/|mapper\/|dm-\d|md\d|pmem\d)/.test(path)
}

const VITAL = new Set([
  ...[
    '/',
    '~',
    '/bin',
    '/boot',
    '/dev',
    '/etc',
    '/home',
    '/lib',
    '/lib32',
    '/lib64',
    '/media',
    '/mnt',
    '/opt',
  ],
  ...['/proc', '/root', '/run', '/sbin', '/srv', '/sys', '/usr', '/usr/bin', '/usr/lib', '/usr/local'],
  ...['/usr/sbin', '/usr/share', '/var', '/var/lib', '/applications', '/library', '/private', '/private/etc'],
  ...['/private/var', '/system', '/users', '/volumes', '/c', '/c/windows', '/mnt/c', '/mnt/c/windows'],
])

function destroys(command: ShellCommand, destruction: Destruction): boolean {
  const { options, words } = split(command.words)
  const named = destruction.options ?? []
  if (!named.every((spellings) => options.some((option) => spellings.some((s) => spells(option, s)))))
    return false
  if (destruction.alone && !options.every((option) => named.flat().some((s) => spells(option, s))))
    return false
  const begin = destruction.command ?? []
  if (!begin.every((word, index) => command.words[index]?.value === word)) return false
  if (destruction.argument === undefined) return true
  if (destruction.argument === 'any') return words.length > begin.length
  const wanted = destruction.argument === 'vital' ? isVital : isDisk
  return words.some((word) => {
    const path = plainPathOfWord(word, command, destruction.prefix)
    return path !== undefined && wanted(path)
  })
}

function split(all: readonly ShellWord[]): { options: string[]; words: ShellWord[] } {
  const options: string[] = []
  const words: ShellWord[] = []
  let ended = false
  for (const word of all) {
    if (!ended && word.value === '--') ended = true
    else if (!ended && word.value !== undefined && /^-./.test(word.value)) options.push(word.value)
    else words.push(word)
  }
  return { options, words }
}

/** Whether the option is this one, alone or among others (`-rf`), whole or shortened (`--rec`). */
function spells(option: string, spelling: string): boolean {
  if (option === spelling) return true
  if (spelling.startsWith('--')) return option.length > 3 && spelling.startsWith(option.replace(/=.*/s, ''))
  return spelling.length === 2 && /^-[^-]/.test(option) && option.includes(spelling.charAt(1))
}

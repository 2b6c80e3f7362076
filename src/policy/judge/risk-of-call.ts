/**
 * How high the risk of a call is, and what makes it high. A shell can do anything, but much of what needs approval is ordinary work
 * in the workspace, and people who have to confirm everything twice soon confirm without reading. So a line is of normal risk
 * where it is known to be ordinary, and of high risk in every other case: each of its commands must be understood, must only
 * read or only write files, or be a sub-command that is listed as running nothing that it is given, and must name nothing
 * outside the folder, by how it looks, and no hidden file.
 *
 * This never decides whether a call needs approval, only how it is approved. Like a verdict's reason, the cause names no argument.
 */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Severity } from '../../core/verdict.ts'
import { knownPrograms } from '../known-programs.ts'
import type { ShellCommand, ShellReading } from '../shell/reading.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import type { Power } from '../starter/profile.ts'
import { mayReveal } from '../starter/reveals.ts'
import type { CallSubject } from '../subject/subject.ts'
import { doubtReason, nameCommand } from './named-commands.ts'

export interface CallRisk {
  severity: Severity | undefined
  /** Where the severity is not the usual one. */
  risk?: Reason
}

export function riskOfCall({ call, entry, reading, guesses }: CallSubject): CallRisk {
  // A command is as dangerous whatever the tool that runs it is called.
  const line = guesses.find((guess) => guess.sure && guess.subject.entry?.kind === 'shell')?.subject.reading
  if (entry === undefined && line !== undefined) {
    const risk = riskOfLine(line)
    return risk === undefined ? { severity: undefined } : { severity: 'high', risk }
  }
  if (entry?.danger === undefined) return { severity: undefined }
  const { danger: severity } = entry
  if (!entry.dangerIsOfLine) return { severity, risk: reasonOf('risk.tool', { tool: call.tool }) }
  if (reading === undefined) return { severity }
  const risk = riskOfLine(reading)
  return risk === undefined ? { severity: 'normal' } : { severity, risk }
}

/** The most telling of what is found. */
function riskOfLine({ commands, doubts }: ShellReading): Reason | undefined {
  const isDownload = commands.some(({ program }) => DOWNLOADERS.has(program ?? ''))
  if (isDownload && doubts.some(({ kind }) => kind === 'inline code'))
    return reasonOf('risk.downloads-and-runs')
  let worst: CommandRisk | undefined
  let count = 0
  for (const command of commands) {
    const found = riskOfCommand(command)
    if (found === undefined) continue
    if (worst === undefined || found.rank < worst.rank) worst = found
    if (worst.rank === 0 || ++count === MOST_COMPARED) break
  }
  const [doubt] = doubts
  if (worst !== undefined) return worst.reason
  if (doubt !== undefined) return reasonOf('risk.doubt', { doubt: doubtReason(doubt.kind) })
  return commands.length === 0 ? reasonOf('risk.unknown-command') : undefined
}

/** These run a command with the rights of somebody else. */
const PRIVILEGED: ReadonlySet<string> = new Set(['sudo', 'doas', 'su', 'pkexec', 'run0', 'runuser'])

const DOWNLOADERS: ReadonlySet<string> = new Set(['curl', 'wget'])

/** A line may have any number of commands, and that the risk is high is known with the first. */
const MOST_COMPARED = 50

interface CommandRisk {
  /** The lower, the more it says. */
  rank: number
  reason: Reason
}

/** Undefined: it is known to be ordinary. */
function riskOfCommand(command: ShellCommand): CommandRisk | undefined {
  const { program, words, doubts, through, path, redirections } = command
  const wrappers = through.map((wrapper) => ({ wrapper, can: knownPrograms().get(wrapper)?.can ?? [] }))
  const privileged = [...through, program ?? ''].find((name) => PRIVILEGED.has(name))
  if (privileged !== undefined)
    return { rank: 0, reason: reasonOf('risk.privilege', { program: privileged }) }
  const profile = program === undefined ? undefined : knownPrograms().get(program)
  const name = nameCommand(program, profile?.commands === undefined ? undefined : words[0]?.value)
  const unnamed = { rank: 6, reason: reasonOf('risk.unknown-command') }
  if (program === undefined || doubts.length > 0) {
    const [doubt] = doubts
    return doubt === undefined
      ? unnamed
      : { rank: 2, reason: reasonOf('risk.doubt', { doubt: doubtReason(doubt.kind) }) }
  }
  if (name === undefined) return unnamed
  // Whatever is behind `sudo` or `xargs` has more to it than it says.
  const wrapper = wrappers.find(({ can }) => can.length > 0)?.wrapper
  if (wrapper !== undefined) return { rank: 4, reason: reasonOf('risk.through', { program: wrapper }) }
  if (path !== undefined) return { rank: 5, reason: reasonOf('risk.by-path', { program: name }) }
  if (profile === undefined) return { rank: 3, reason: reasonOf('risk.unknown-program', { program: name }) }
  const isReading = judgeProgram(command, () => 'yes').kind === 'reads'
  const isDeleting = !isReading && profile.commands === undefined && profile.can?.includes('delete') === true
  if (isDeleting) return { rank: 1, reason: reasonOf('risk.delete', { program: name }) }
  const values = [...words.map(({ value }) => value), ...redirections.map(({ target }) => target)]
  const isAddress = (value: string | undefined) => value?.includes('://') === true
  if (profile.can?.includes('network') && values.some(isAddress))
    return { rank: 4, reason: reasonOf('risk.network', { program: name }) }
  if (values.some((value) => value !== undefined && LEAVES.test(value)))
    return { rank: 4, reason: reasonOf('risk.outside') }
  if (values.some((value) => value !== undefined && HIDDEN.test(value)))
    return { rank: 5, reason: reasonOf('risk.hidden-file') }
  if (values.includes(undefined)) return { rank: 6, reason: reasonOf('risk.late-word') }
  if (isReading) return undefined
  if (mayReveal(command)) return { rank: 3, reason: reasonOf('risk.reveals') }
  if (profile.commands === undefined) {
    const power = POWERS.find((one) => profile.can?.includes(one))
    return power === undefined
      ? undefined
      : { rank: 4, reason: reasonOf(POWER_CODES[power], { program: name }) }
  }
  const isListed = profile.shapes?.includes(words[0]?.value ?? '') ?? false
  return isListed ? undefined : { rank: 5, reason: reasonOf('risk.sub-command', { program: name }) }
}

/** Besides writing files, the most dangerous first. */
const POWERS = ['privilege', 'delete', 'code', 'network'] as const satisfies readonly Power[]

const POWER_CODES = {
  privilege: 'risk.privilege',
  delete: 'risk.delete',
  code: 'risk.code',
  network: 'risk.network',
} as const

/** From the root or a home folder, or upwards; also behind the sign of an option (`of=/dev/sda`). */
const LEAVES = /(?:^|[=:,])(?:[~/]|\.\.(?:\/|$))|\/\.\.(?:\/|$)/

const HIDDEN = /(?:^|[/=:])\.(?!\/|$)/

/**
 * The grants that a decision may leave behind, from narrow to wide. They are made of the call alone, so that the same
 * call gets the same ones whoever asks. What runs code that it is given, an interpreter or a package manager, gets
 * none wider than exactly this call: whoever may run it with other arguments may run anything.
 */

import { posix } from 'node:path'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { sayInEnglish } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { GRANT_WIDTHS, type GrantWidth, isHighRisk } from '../../core/verdict.ts'
import { riskOfCall } from '../judge/risk-of-call.ts'
import { knownPrograms } from '../known-programs.ts'
import { hostOf } from '../matchers/host-address.ts'
import { isInside } from '../matchers/inside-roots.ts'
import type { Suggestion } from '../policy.ts'
import { deletionsOf, writesOf } from '../shell/options/option-effects.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, CommandPart, PathPart } from '../subject/subject.ts'

export function suggestionsFor(
  subject: CallSubject | undefined,
  digest: string,
  widest: GrantWidth | undefined,
  roots: readonly string[] = [],
): Suggestion[] {
  const exact: Suggestion = {
    id: 'call',
    width: 'call',
    match: { kind: 'exact', digest },
    ...worded(reasonOf('grant.exact')),
  }
  if (subject?.reading?.doubts.some(({ kind }) => kind === 'too long')) return []
  if (subject === undefined || subject.strange !== undefined) return [exact]
  const limit = widest === undefined ? GRANT_WIDTHS.length : GRANT_WIDTHS.indexOf(widest)
  const wider = subject.entry?.kind === 'shell' ? forCommands(subject, roots) : forTool(subject, roots)
  return [exact, ...wider].filter(({ width }) => GRANT_WIDTHS.indexOf(width) <= limit)
}

function suggestion(id: string, width: GrantWidth, when: JsonObject, reason: Reason): Suggestion {
  const words = worded(reason)
  return { id, width, match: { kind: 'when', when, ...words }, ...words }
}

function worded(reason: Reason): { words: string; reason: Reason } {
  return { words: sayInEnglish(reason), reason }
}

function forCommands(subject: CallSubject, roots: readonly string[]): Suggestion[] {
  const { tool } = subject.call
  const parts = commandsOf(subject).filter(({ command }) => !command.transparent)
  if (parts.length === 0 || subject.reading?.doubts.length !== 0) return []
  // A word that is known only when the line runs has the call asked again whatever was granted.
  if (parts.some(({ command }) => command.words.some(({ value }) => value === undefined))) return []
  const shapes = parts.map((part) => shapeOf(part.command))
  if (shapes.includes(undefined)) return []
  const patterns = [...new Set(shapes as string[])]
  // Where the paths are not known to lead into the workspace, a shape would cover all paths there are.
  if (!parts.every((part) => isInsideRoots(subject, part, roots))) return []
  const when: JsonObject = { tool, command: patterns, path: './**' }
  const words = reasonOf('grant.commands', { commands: patterns })
  return [suggestion('shape', 'shape', when, words)]
}

/** Program, sub-command and the options before the first argument; the rest may be anything. */
function shapeOf(command: ShellCommand): string | undefined {
  const { program, words, redirections, through } = command
  if (program === undefined || !/^[\w.+-]+$/.test(program)) return undefined
  const profile = knownPrograms().get(program)
  // Of an unknown program nobody can say that it is no interpreter.
  if (profile === undefined) return undefined
  const powerful = WIDE_POWERS.some((power) => profile.can?.includes(power))
  if (powerful && profile.shapes?.includes(words[0]?.value ?? '') !== true) return undefined
  if (redirections.some(({ kind }) => kind === 'write') || through.length > 0) return undefined
  if (writesOf(command).length + deletionsOf(command).length > 0) return undefined
  const kept = [program]
  const [sub] = words
  const hasSub =
    sub?.value !== undefined && profile.commands !== undefined && /^[a-z][a-z-]*$/.test(sub.value)
  if (profile.commands !== undefined && !hasSub) return undefined
  if (hasSub) kept.push(sub.value!)
  for (const word of words.slice(hasSub ? 1 : 0)) {
    if (word.value === undefined || word.pattern || !/^--?[A-Za-z][\w-]*$/.test(word.value)) break
    kept.push(word.value)
  }
  return `${kept.join(' ')} *`
}

const WIDE_POWERS = ['code', 'privilege', 'delete', 'network'] as const

function isInsideRoots(subject: CallSubject, part: CommandPart, roots: readonly string[]): boolean {
  return part.mentions.every((mention) => {
    const resolved = subject.resolved(mention)
    return resolved !== undefined && rootOf(resolved, roots) !== undefined
  })
}

function forTool(subject: CallSubject, roots: readonly string[]): Suggestion[] {
  const { call, entry, parts } = subject
  const { tool } = call
  const found: Suggestion[] = []
  const paths = parts.filter((part): part is PathPart => part.kind === 'path')
  if (paths.length > 0) found.push(...forPaths(tool, paths, roots))
  const hosts = parts.flatMap((part) => (part.kind === 'address' ? (hostOf(part.text) ?? '?') : []))
  if (hosts.length > 0 && !hosts.includes('?')) {
    const names = [...new Set(hosts)]
    found.push(
      suggestion('shape', 'shape', { tool, host: names }, reasonOf('grant.hosts', { tool, hosts: names })),
    )
  }
  // What else a call with the same argument would do is known only of a tool that is known.
  if (parts.length === 0 && entry?.kind !== undefined) found.push(...forArguments(tool, call.arguments))
  const danger = entry?.danger ?? riskOfCall(subject).severity
  if (danger === undefined || !isHighRisk(danger))
    found.push(suggestion('tool', 'tool', { tool }, reasonOf('grant.tool', { tool })))
  return found
}

function forPaths(tool: string, paths: readonly PathPart[], roots: readonly string[]): Suggestion[] {
  const [first] = paths
  if (paths.length !== 1 || first?.resolved === undefined) return []
  const root = rootOf(first.resolved, roots)
  if (root === undefined || /[*?[\]{}\\]/.test(first.resolved)) return []
  const written = `./${posix.relative(root, first.resolved)}`
  const folder = posix.dirname(written)
  const pattern = folder === '.' ? './**' : `${folder}/**`
  return [
    suggestion('path', 'shape', { tool, path: written }, reasonOf('grant.path', { tool, path: written })),
    suggestion(
      'folder',
      'argument',
      { tool, path: pattern },
      folder === '.' ? reasonOf('grant.workspace', { tool }) : reasonOf('grant.folder', { tool, folder }),
    ),
  ]
}

/** More choices than this are none. */
const MAX_ARGUMENTS = 3

function forArguments(tool: string, args: CallSubject['call']['arguments']): Suggestion[] {
  return Object.entries(args)
    .filter(([, value]) => isShort(value))
    .slice(0, MAX_ARGUMENTS)
    .map(([name, value]) => {
      const pointer = pointerStep(name)
      const shown = `${name}: ${JSON.stringify(value)}`
      return suggestion(
        `argument:${pointer}`,
        'argument',
        { tool, arguments: { [pointer]: { equals: value } } },
        reasonOf('grant.argument', { tool, argument: shown }),
      )
    })
}

function isShort(value: JsonValue): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= 100)
  )
}

function rootOf(resolved: string, roots: readonly string[]): string | undefined {
  return roots.find((root) => isInside(resolved, [root]))
}

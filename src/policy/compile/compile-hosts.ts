/** Compiles what `when` says of hosts and of the kind of a call: for tools by their arguments, for commands by what they reach. */

import { TOOL_KINDS } from '../../core/known-tool.ts'
import { checkList, checkTexts, checkWord } from '../language/block-checks.ts'
import { compileHost, type HostMatcher } from '../matchers/host.ts'
import { bothMatch, eitherMatches, type MatchResult } from '../matchers/match-result.ts'
import { ANY_NETWORK, matchReach, type ReachPattern, reachReason } from '../network/match-reach.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { CompiledWhen, When } from './compiled-when.ts'

/**
 * A shell command is of the kind `network` where it reaches another machine. An allow of the kind is about tools alone, but
 * one of all that is not of the kind (`every` is false then) leaves such commands out.
 */
export function kinds(value: unknown, at: string, isAllow: boolean): When {
  const wanted = Array.isArray(value)
    ? checkList(value, 'kind', at, (entry, where) => checkWord(entry, TOOL_KINDS, 'kind', where))
    : [checkWord(value, TOOL_KINDS, 'kind', at)]
  const wantsNetwork = wanted.includes('network')
  return (subject, part, every) => {
    const { kind } = subject.entry ?? {}
    if (kind !== undefined && wanted.includes(kind)) return 'yes'
    if (!wantsNetwork || kind !== 'shell' || (isAllow && every)) return 'no'
    if (part === undefined) return subject.parts.length === 0 ? 'no' : 'unknown'
    return part.kind === 'command' ? matchReach(part, [ANY_NETWORK], false) : 'no'
  }
}

export function hostMatchers(value: unknown, at: string): HostMatcher[] {
  return checkTexts(value, 'host', at).map((pattern) => compileHost(pattern, at))
}

/** By which names a rule about these hosts is found. */
export function hostKey(matchers: readonly HostMatcher[]): CompiledWhen['key'] {
  const names = matchers.flatMap(({ name }) => name ?? [])
  return names.length === matchers.length ? { kind: 'host', names } : undefined
}

/** Whether a tool or a command reaches one of the hosts. */
export function hosts(matchers: readonly HostMatcher[]): When {
  const fits = (text: string) =>
    matchers.reduce<MatchResult>((result, { url }) => eitherMatches(result, url(text)), 'no')
  return (subject, part, every) => {
    if (part === undefined) return mayHave(subject, subject.entry?.urls)
    if (part.kind === 'address') return fits(part.text)
    if (part.kind !== 'command') return 'no'
    const reached = matchReach(part, matchers, every)
    if (!every || reached === 'no') return reached
    // For an allow all that looks like an address must fit, wherever it stands.
    return part.command.words.reduce<MatchResult>((result, { value }) => {
      if (value !== undefined && !/:\/\//.test(value)) return result
      return bothMatch(result, value === undefined ? 'unknown' : fits(value))
    }, reached)
  }
}

/** A call whose paths or addresses were not found where they should be may still have some. */
export function mayHave(subject: CallSubject, pointers: readonly string[] | undefined): MatchResult {
  return subject.entry?.kind === 'shell' || (pointers ?? []).length > 0 ? 'unknown' : 'no'
}

/** What it says of hosts, for the words in which it is explained. */
export function reachedPatterns(host: unknown, kind: unknown, at: string): ReachPattern[] {
  if (host !== undefined) return hostMatchers(host, `${at}/host`)
  return [kind].flat().includes('network') ? [ANY_NETWORK] : []
}

export function reasonOfReach(patterns: readonly ReachPattern[]): CompiledWhen['reachReason'] {
  return (part) => (part.kind === 'command' ? reachReason(part, patterns) : undefined)
}

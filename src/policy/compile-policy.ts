/** Compiles a policy: puts its parts together into the `Policy` of `policy.ts`, and refuses what isn't understood. */

import { defined } from '../core/defined.ts'
import { digestOf } from '../core/digest.ts'
import { canonicalize } from '../core/json/json.ts'
import { told } from '../core/reasons/english.ts'
import { reasonOf } from '../core/reasons/reason-of.ts'
import { reasonedError } from '../core/reasons/reasoned-error.ts'
import type { Facts, Verdict } from '../core/verdict.ts'
import { compileAgentDenies } from './agent-files/compile-agent-denies.ts'
import { agentStartAsks, denyAgentStart, startsAgent } from './agent-files/judge-agent-starts.ts'
import { compileBuiltInDenies, type OwnHouse, ownPathsOf } from './built-in-denies/compile-built-in-denies.ts'
import { OWN_FILES_INSIDE } from './built-in-denies/own-denial.ts'
import type { OwnPaths } from './built-in-denies/own-paths.ts'
import { checkWhole } from './compile/check-whole.ts'
import { type CompiledLists, compileRules, indexRules } from './compile/compile-rules.ts'
import type { Places } from './compile/compiled-when.ts'
import { warningsOf } from './compile/warnings.ts'
import { type CoverParts, createGrantCover } from './grants/cover-by-grants.ts'
import { suggestionsFor } from './grants/suggest-grants.ts'
import { createEvaluate } from './judge/evaluate.ts'
import { explanationOf } from './judge/explain.ts'
import { hostLookups } from './judge/host-lookups.ts'
import { type JudgeRules, judgeByRules } from './judge/judge-by-rules.ts'
import { deniedLookups, ignoredLookups, readsBelow, readsOwn } from './judge/reads-below.ts'
import { steeringAsks } from './judge/steering-asks.ts'
import { compileToolNames } from './judge/tool-names.ts'
import { isMode } from './language/language.ts'
import { type CheckedBlock, checkPolicyBlock } from './language/policy-block.ts'
import type { EvaluationContext, JudgedCall, LocateRule, Policy } from './policy.ts'
import { TRIED_LENGTHS } from './shell/commands/short-words.ts'
import { STARTER_POLICY } from './starter/starter-policy.ts'
import { steeringOf } from './steering/steering-of.ts'
import { EVERY_GROUP } from './steering-files/steering-groups.ts'
import { LineTooLong, MAX_STEPS, withSteps } from './steps.ts'
import { type CallSubject, createSubject, knownToolOf, lookupsOf } from './subject/subject.ts'
import type { Catalogue } from './tools/catalogue.ts'
import { denyTypedProgram } from './typed-programs/deny-typed-program.ts'

export interface PolicyOptions {
  /** What no agent may touch (P11). Left out, there are no built-in denies but that of unreadable names. */
  ownHouse?: OwnHouse
  /** The value under `tools:`, which adds to the tools that are known. */
  tools?: unknown
  /** The folders that agents work in; absolute, with links followed. Without any, no path is inside the workspace. */
  roots?: readonly string[]
  /** What `~` stands for in patterns. */
  home?: string
  /** Where a part of the block stands in its file. */
  locate?: LocateRule
}

export function compilePolicy(block: unknown, options: PolicyOptions = {}): Policy {
  const places: Places = { roots: options.roots ?? [], home: options.home }
  const { checked, catalogue, lists } = checkWhole(block, options.tools, (own, tools) =>
    compileRules(own, tools, places),
  )
  const sources = [...checked.extends.map(() => compileStarter(catalogue, places)), lists]
  const rules = sources.flatMap((source) => source.rules)
  const { roots } = places
  const allow = indexRules(rules.filter(({ kind }) => kind === 'allow'))
  const own = options.ownHouse === undefined ? undefined : ownPathsOf(options.ownHouse)
  // Whether the files and the starts of coding agents are minded.
  const minds = options.ownHouse?.agents !== undefined
  const parts: JudgeRules = {
    deny: indexRules(rules.filter(({ kind }) => kind === 'deny')),
    ask: indexRules(rules.filter(({ kind }) => kind === 'ask')),
    allow,
    roots,
    starter: checked.extends.length > 0,
    steeringAsks: (subject) => [
      ...steeringAsks({ allow, roots }, subject),
      ...(minds ? agentStartAsks(subject) : []),
    ],
    readsBelow: (subject, denying) => readsBelow(subject, denying, own),
  }
  const reason = checked.reason?.split('{tool}')
  const names = compileToolNames({
    lists: merged(sources.map((source) => source.names)),
    open: rules.flatMap(({ when }) => when.tools ?? ['*']),
    reason,
  })
  const mindsParts =
    own !== undefined ||
    rules.some(({ kind, when }) => kind !== 'allow' && (when.aboutParts || when.aboutReach))
  const builtIn = options.ownHouse === undefined ? undefined : builtInDenies(options.ownHouse)

  const subjectOf = (
    call: JudgedCall,
    facts?: Facts,
    context?: EvaluationContext,
    most?: number | undefined,
  ): CallSubject =>
    createSubject(call, facts, catalogue.find(call.tool, call.definition), {
      steered: context?.steered,
      known: catalogue.argumentsOf(call.tool),
      shells: catalogue.shells,
      most,
    })
  const judged: CoverParts['judged'] = (subject, mode) =>
    judgeByRules(parts, subject, names.findings(subject.call.tool), isMode(mode) ? mode : 'dontAsk')
  const modeOf: CoverParts['modeOf'] = (context) => context?.mode ?? checked.mode ?? 'default'

  const covering = createGrantCover({ places, subjectOf, judged, modeOf })
  const isBarred = (call: JudgedCall, facts: Facts | undefined): boolean =>
    builtIn !== undefined &&
    inSteps((most) => {
      const subject = subjectOf(call, facts, undefined, most)
      return builtIn(subject) !== undefined || (minds && startsAgent(subject))
    }, true)

  const evaluate = createEvaluate({
    ...{ catalogue, names, roots, reason, builtIn, judged, modeOf },
    starter: parts.starter,
    needsLook: (subject) =>
      (own !== undefined && readsOwn(subject, own)) ||
      (minds && startsAgent(subject)) ||
      (mindsParts && subject.guesses.length > 0),
    mindsParts,
  })

  const verdictOf: Policy['evaluate'] = (call, facts, context) =>
    inSteps((most) => evaluate(call, context, () => subjectOf(call, facts, context, most)), UNJUDGED)

  return {
    version: versionOf(block, options.tools),
    get warnings() {
      return warningsOf(checked, catalogue, (call) => verdictOf(call))
    },
    evaluate: verdictOf,
    explain(call, facts, context) {
      const mode = modeOf(context)
      const explained = (subject: CallSubject, verdict: Verdict) =>
        explanationOf({ verdict, subject, mode, roots, starter: parts.starter, locate: options.locate }, () =>
          judged(subject, mode),
        )
      const look = (most: number | undefined) => {
        const subject = subjectOf(call, facts, context, most)
        const verdict = evaluate(call, context, () => subject)
        return explained(subject, verdict)
      }
      return inSteps(look, explained(subjectOf(call), UNJUDGED))
    },
    deniesByName: (tool) => names.findings(tool).deny.length > 0,
    knownTool: (call) => knownToolOf(call, catalogue.find(call.tool, call.definition)),
    lookups: createLookups({ catalogue, rules, own, deny: parts.deny, subjectOf }),
    steering: (call, facts) =>
      inSteps((most) => steeringOf(subjectOf(call, facts, undefined, most), roots), {
        reads: EVERY_GROUP,
        writes: EVERY_GROUP,
      }),
    // No grant lifts what is built in.
    cover: (call, digest, grants, facts, context) =>
      isBarred(call, facts)
        ? undefined
        : withSteps(MAX_STEPS, () => covering.cover(call, digest, grants, facts, context)),
    matches: (match, call, digest, facts) =>
      !isBarred(call, facts) && withSteps(MAX_STEPS, () => covering.matches(match, call, digest, facts)),
    suggest(call, digest, facts, context) {
      const fallback = suggestionsFor(undefined, digest, undefined)
      const look = (most: number | undefined) => {
        const subject = subjectOf(call, facts, context, most)
        const verdict = evaluate(call, context, () => subject)
        if (verdict.kind !== 'ask') return fallback
        return suggestionsFor(subject, digest, verdict.terms.widestGrant, roots)
      }
      return inSteps(look, fallback)
    },
  }
}

/** What is Banksman's own first, unless that deny leaves the word to others. */
function builtInDenies(ownHouse: OwnHouse): ReturnType<typeof compileBuiltInDenies> {
  const own = compileBuiltInDenies(ownHouse)
  const agents = ownHouse.agents === undefined ? undefined : compileAgentDenies(ownHouse.agents)
  const find: typeof own = (subject) => {
    const denial = own(subject)
    if (denial !== undefined && denial.rule !== OWN_FILES_INSIDE) return denial
    return agents?.(subject) ?? denyStart(subject) ?? denial
  }
  const denyStart: typeof own = (subject) =>
    agents === undefined ? undefined : (denyAgentStart(subject) ?? denyTypedProgram(subject))
  return (subject) => {
    const found = find(subject)
    if (found !== undefined) return found
    for (const guess of subject.guesses) {
      const denial = guess.sure ? find(guess.subject) : undefined
      if (denial !== undefined) return denial
    }
    return undefined
  }
}

/**
 * Looks at the call as a whole, and where that takes more steps than one call may, at ever fewer words of its commands: a deny
 * that needs no more than these still matches, and all else needs approval. `otherwise`: where no look ends.
 */
function inSteps<T>(look: (most: number | undefined) => T, otherwise: T): T {
  // A look at no words at all is always cheap enough.
  for (const most of [...TRIED_LENGTHS, 0]) {
    try {
      return withSteps(most === undefined ? MAX_STEPS : MAX_STEPS / 8, () => look(most))
    } catch (error) {
      // The stack has an end as well.
      if (!(error instanceof LineTooLong || error instanceof RangeError)) return otherwise
    }
  }
  return otherwise
}

interface LookupParts extends Pick<JudgeRules, 'deny'> {
  subjectOf(call: JudgedCall, facts?: Facts, context?: EvaluationContext, most?: number): CallSubject
  readonly catalogue: Catalogue
  readonly rules: CompiledLists['rules']
  readonly own: OwnPaths | undefined
}

function createLookups({ catalogue, rules, own, deny, subjectOf }: LookupParts): Policy['lookups'] {
  const pathPointers = [...new Set(rules.flatMap(({ when }) => when.pathPointers))]
  const usesFolder = rules.some(({ when }) => when.usesFolder)
  const isAboutReach = rules.some(({ when }) => when.aboutReach)
  const lookups = (call: JudgedCall, most: number | undefined) => {
    const entry = catalogue.find(call.tool, call.definition)
    const subject = subjectOf(call, undefined, undefined, most)
    const found = lookupsOf(subject, pathPointers, usesFolder)
    const mayPassOver = own !== undefined && (entry?.kind === 'shell' || entry?.honoursIgnores === true)
    const searches = entry?.kind === 'read' && entry.glob !== undefined
    const mayReach = isAboutReach && entry?.kind === 'shell'
    if (!searches && !mayPassOver && !mayReach) return found
    const hosts = mayReach ? hostLookups(subject) : undefined
    const ignored = mayPassOver ? ignoredLookups(subject, own) : undefined
    const denied = searches ? deniedLookups(subject, deny.forTool(call.tool)) : undefined
    return { ...found, ...defined({ ignored, denied, hosts }) }
  }
  return (call) => inSteps((most) => lookups(call, most), { paths: {}, words: [], folder: true })
}

function merged(sources: readonly CompiledLists['names'][]): CompiledLists['names'] {
  return {
    deny: sources.flatMap(({ deny }) => deny),
    ask: sources.flatMap(({ ask }) => ask),
    allow: sources.flatMap(({ allow }) => allow),
  }
}

const STARTER: CheckedBlock = checkPolicyBlock(STARTER_POLICY)

/** The same for every policy with the same tools and roots, of which a program has few. */
const compiledStarters = new WeakMap<Catalogue, Map<string, CompiledLists>>()

function compileStarter(catalogue: Catalogue, places: Places): CompiledLists {
  const known = compiledStarters.get(catalogue) ?? new Map<string, CompiledLists>()
  compiledStarters.set(catalogue, known)
  const key = JSON.stringify([places.roots, places.home])
  const compiled = known.get(key) ?? compileRules(STARTER, catalogue, places, 'starter')
  if (known.size < MAX_STARTERS) known.set(key, compiled)
  return compiled
}

const MAX_STARTERS = 16

const UNJUDGED: Verdict = {
  kind: 'deny',
  ...told(reasonOf('deny.unjudged')),
  rule: 'built-in: unreadable call',
}

function versionOf(block: unknown, tools: unknown): string {
  try {
    return digestOf(canonicalize(tools === undefined ? block : { policy: block, tools }))
  } catch (error) {
    throw reasonedError('invalid_policy', reasonOf('wrong.plain-json'), { pointer: '' }, { cause: error })
  }
}

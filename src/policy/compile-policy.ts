/**
 * Compiles a policy. Compiling refuses whatever is not understood; what comes out is the `Policy` of `policy.ts`.
 *
 * Most calls are settled by the plain names in the lists and the mode, and for those nothing else is looked at.
 */
import { defined } from '../core/defined.ts'
import { digestOf } from '../core/digest.ts'
import { BanksmanError } from '../core/errors.ts'
import { canonicalize } from '../core/json/json.ts'
import type { Facts, Verdict } from '../core/verdict.ts'
import { compileBuiltInDenies, type OwnHouse, ownPathsOf } from './built-in-denies/compile-built-in-denies.ts'
import { OWN_FILES_INSIDE } from './built-in-denies/own-denial.ts'
import { type CompiledLists, compileRules, indexRules } from './compile/compile-rules.ts'
import type { Places } from './compile/compiled-when.ts'
import { warningsOf } from './compile/warnings.ts'
import { type CoverParts, createGrantCover } from './grants/cover-by-grants.ts'
import { suggestionsFor } from './grants/suggest-grants.ts'
import { explanationOf } from './judge/explain.ts'
import { type CallFindings, type JudgeRules, judgeByRules } from './judge/judge-by-rules.ts'
import { deniedLookups, ignoredLookups, readsOwn } from './judge/reads-below.ts'
import { compileToolNames } from './judge/tool-names.ts'
import { verdictOf } from './judge/verdict-of.ts'
import type { Mode } from './language/language.ts'
import { type CheckedBlock, checkPolicyBlock, isMode } from './language/policy-block.ts'
import type { EvaluationContext, JudgedCall, Policy } from './policy.ts'
import { STARTER_POLICY } from './starter/starter-policy.ts'
import { steeringOf } from './steering/steering-of.ts'
import { EVERY_GROUP } from './steering-files/steering-groups.ts'
import { type CallSubject, createSubject, knownToolOf, lookupsOf } from './subject/subject.ts'
import { type Catalogue, type CatalogueEntry, compileCatalogue } from './tools/catalogue.ts'
import { checkTools } from './tools/check-tools.ts'

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
  locate?: (pointer: string) => { file: string; line: number; column: number } | undefined
}

export function compilePolicy(block: unknown, options: PolicyOptions = {}): Policy {
  const checked = checkPolicyBlock(block)
  const catalogue = compileCatalogue(checkTools(options.tools))
  const places: Places = { roots: options.roots ?? [], home: options.home }
  const sources = [
    ...checked.extends.map(() => compileStarter(catalogue, places)),
    compileRules(checked, catalogue, places),
  ]
  const rules = sources.flatMap((source) => source.rules)
  const parts: JudgeRules = {
    deny: indexRules(rules.filter(({ kind }) => kind === 'deny')),
    ask: indexRules(rules.filter(({ kind }) => kind === 'ask')),
    allow: indexRules(rules.filter(({ kind }) => kind === 'allow')),
    roots: places.roots,
    starter: checked.extends.length > 0,
    own: options.ownHouse === undefined ? undefined : ownPathsOf(options.ownHouse),
  }
  const pathPointers = [...new Set(rules.flatMap(({ when }) => when.pathPointers))]
  const usesFolder = rules.some(({ when }) => when.usesFolder)
  const policyMode: Mode = checked.mode ?? 'default'
  const reason = checked.reason?.split('{tool}')
  const names = compileToolNames({
    lists: merged(sources.map((source) => source.names)),
    open: rules.flatMap(({ when }) => when.tools ?? ['*']),
    reason,
  })
  const builtIn = options.ownHouse === undefined ? undefined : compileBuiltInDenies(options.ownHouse)

  const subjectOf: CoverParts['subjectOf'] = (call, facts, context) =>
    createSubject(call, facts, catalogue.find(call.tool, call.definition), {
      steered: context?.steered,
      known: catalogue.argumentsOf(call.tool),
    })
  const judged = (subject: CallSubject, mode: string): CallFindings =>
    judgeByRules(parts, subject, names.findings(subject.call.tool), isMode(mode) ? mode : 'dontAsk')
  const modeOf = (context: EvaluationContext | undefined) => context?.mode ?? policyMode

  const covering = createGrantCover({ places, subjectOf, judged, modeOf })
  const isBarred = (call: JudgedCall, facts: Parameters<Policy['evaluate']>[1]): boolean =>
    builtIn !== undefined && guarded(() => builtIn(subjectOf(call, facts)) !== undefined, true)

  /**
   * Of a tool that is known, names settle what is not asked, unless the mode or the starter looks at its kind. What may
   * write a file that steers programs is not settled by a name.
   */
  const settledByName = (
    tool: string,
    entry: CatalogueEntry | undefined,
    mode: string,
  ): Verdict | undefined => {
    if (entry === undefined) return names.settle(tool, mode)
    if (mode === 'acceptEdits' || mode === 'plan' || (parts.starter && entry.kind === 'shell'))
      return undefined
    const settled = names.settle(tool, mode)
    const mayWrite = entry.kind === 'shell' || entry.kind === 'edit'
    return settled?.kind === 'ask' || (mayWrite && settled?.kind === 'allow') ? undefined : settled
  }

  /** `made` is its subject, where there is one already: the parts of a call are worked out once. */
  const evaluate = (
    call: JudgedCall,
    facts: Facts | undefined,
    context: EvaluationContext | undefined,
    made?: CallSubject,
  ): Verdict => {
    const { tool } = call
    const illegible = unreadable(tool)
    if (illegible !== undefined) return illegible
    const mode = modeOf(context)
    const entry = catalogue.find(tool, call.definition)
    const known = catalogue.argumentsOf(tool)
    if (builtIn === undefined && known === undefined) {
      const settled = settledByName(tool, entry, mode)
      if (settled !== undefined) return settled
    }
    const subject = made ?? createSubject(call, facts, entry, { steered: context?.steered, known })
    const barred = builtIn?.(subject)
    if (barred !== undefined && barred.rule !== OWN_FILES_INSIDE) return barred
    const entersOwn = parts.own !== undefined && readsOwn(subject, parts.own)
    const isPlain = subject.strange === undefined && !entersOwn
    const settled = isPlain ? settledByName(tool, entry, mode) : undefined
    const verdict =
      settled ?? verdictOf(judged(subject, mode), subject, { mode, roots: places.roots, reason })
    // Of two denies the one that somebody wrote down says more.
    return barred === undefined || isRuledOut(verdict) ? verdict : barred
  }

  const policy: Policy = {
    version: versionOf(block, options.tools),
    get warnings() {
      return warningsOf(checked, catalogue)
    },
    evaluate: (call, facts, context) => guarded(() => evaluate(call, facts, context), UNJUDGED),
    explain(call, facts, context) {
      const subject = subjectOf(call, facts, context)
      const verdict = guarded(() => evaluate(call, facts, context, subject), UNJUDGED)
      const mode = modeOf(context)
      return explanationOf(
        { verdict, subject, mode, roots: places.roots, starter: parts.starter, locate: options.locate },
        () => judged(subject, mode),
      )
    },
    knownTool: (call) => knownToolOf(call, catalogue.find(call.tool, call.definition)),
    lookups: (call) =>
      guarded(
        () => {
          const entry = catalogue.find(call.tool, call.definition)
          const lookups = lookupsOf(call, entry, pathPointers, usesFolder)
          const mayPassOver = entry?.kind === 'shell' || entry?.honoursIgnores === true
          const searches = entry?.kind === 'read' && entry.glob !== undefined
          if (!searches && !(mayPassOver && parts.own !== undefined)) return lookups
          const subject = subjectOf(call, undefined, undefined)
          const ignored =
            mayPassOver && parts.own !== undefined ? ignoredLookups(subject, parts.own) : undefined
          const denied = searches ? deniedLookups(subject, parts.deny.forTool(call.tool)) : undefined
          return {
            ...lookups,
            ...defined({ ignored, denied }),
          }
        },
        { paths: {}, words: [], folder: true },
      ),
    steering: (call, facts) =>
      guarded(() => steeringOf(subjectOf(call, facts), places.roots), {
        reads: EVERY_GROUP,
        writes: EVERY_GROUP,
      }),
    // No grant lifts what is built in.
    cover: (call, digest, grants, facts, context) =>
      isBarred(call, facts) ? undefined : covering.cover(call, digest, grants, facts, context),
    matches: (match, call, digest, facts) =>
      !isBarred(call, facts) && covering.matches(match, call, digest, facts),
    suggest(call, digest, facts, context) {
      const fallback = suggestionsFor(undefined, digest, undefined)
      return guarded(() => {
        const subject = subjectOf(call, facts, context)
        const verdict = evaluate(call, facts, context, subject)
        if (verdict.kind !== 'ask') return fallback
        return suggestionsFor(subject, digest, verdict.terms.widestGrant, places.roots)
      }, fallback)
    },
  }
  return policy
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
  because: 'the call could not be judged, and what can not be judged is denied',
  rule: 'built-in: unreadable call',
}

function guarded<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

function isRuledOut({ kind, rule }: Verdict): boolean {
  return kind === 'deny' && rule !== undefined && !rule.startsWith('mode: ')
}

/** Such a name can't be shown faithfully on one line, and would look like another in a list. */
const UNREADABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

function unreadable(tool: unknown): Verdict | undefined {
  if (typeof tool === 'string' && !UNREADABLE.test(tool)) return undefined
  const because =
    typeof tool === 'string'
      ? "the tool's name has a control character or a line separator in it, and such names are denied"
      : "the tool's name is not a text"
  return { kind: 'deny', because, rule: 'built-in: unreadable name' }
}

function versionOf(block: unknown, tools: unknown): string {
  try {
    return digestOf(canonicalize(tools === undefined ? block : { policy: block, tools }))
  } catch (error) {
    throw new BanksmanError(
      'invalid_policy',
      'the policy must be plain JSON',
      { pointer: '' },
      { cause: error },
    )
  }
}

import type { WirePolicy } from '../../../../../src/client/index.ts'
import type { VerdictKind } from '../../../../../src/core/verdict.ts'
import { translatedWords } from '../../../words/translated-words.ts'
import { POLICY_CHINESE } from './chinese.ts'
import { POLICY_ENGLISH } from './english.ts'

export interface PolicyWords {
  source: Record<WirePolicy['source'], string>
  status: Record<WirePolicy['status'], string>
  statusExplain: Record<WirePolicy['status'], string>
  where: string
  version: string
  mode(name: string): string
  refresh: string
  warnings(count: number): string
  noWarnings: string
  tests(passed: number, failed: number): string
  failedTest(call: string, expected: string, found: string): string
  file: {
    title: string
    line(number: number): string
    toLine(number: number): string
    shorter: string
    longer: string
  }
  change: {
    title: string
    explain: string
    first: string
    unreadable: string
    mistake: string
    apply: string
    confirm: string
    applyExplain: string
    applied: string
    others: string
  }
  attempt: {
    title: string
    about: string
    tool: string
    toolHint: string
    missingTool: string
    arguments: string
    form: { label: string; plain: string; json: string }
    unreadable: string
    cwd: string
    mode: string
    ownMode(name: string): string
    by: { label: string; held: string; draft: string }
    submit: string
    verdict: Record<VerdictKind, string>
    unknownTool: string
    rules: string
    noRules: string
    kind: Record<VerdictKind, string>
    decided: string
    maybe: string
    builtIn: string
    line(number: number): string
    isAbout: string
    commands: string
    old: string
  }
  replay: {
    title: string
    about: string
    text: string
    masks: string
    reset: string
    same: string
    days: string
    day(count: number): string
    submit: string
    under: string
    counts(calls: number, days: number): string
    unchanged(count: number): string
    erased(count: number): string
    cut: string
    nothing: string
    refused(count: number): string
    freed(count: number): string
    newlyAsked(count: number): string
    newlyDenied(count: number): string
    wasWould(was: string, would: string): string
    verdict: Record<VerdictKind, string>
    calls(count: number): string
    rejected(count: number): string
    rejectedRunning(count: number): string
    examples: string
    rule: string
    old: string
  }
}

export const POLICY_WORDS = translatedWords<PolicyWords>(POLICY_ENGLISH, POLICY_CHINESE)

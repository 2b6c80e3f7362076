import type { WireEarlier } from '../../../../src/client/index.ts'
import { translatedWords } from '../../words/translated-words.ts'
import type { CommandMark, CommandVerdict } from '../call/line-runs.ts'
import { REQUEST_CHINESE } from './chinese.ts'
import { REQUEST_ENGLISH } from './english.ts'

export interface RequestPageWords {
  heading: {
    quorum(given: number, needed: number): string
  }
  notes: {
    edited(by: string): string
    policyChanged: string
    factsChanged: string
    nowDenied: string
    nowAllowed: string
    erased: string
  }
  call: {
    title: string
    none: string
    moreRows(next: number, left: number): string
    seeWhole: string
    hideWhole: string
  }
  line: {
    label: string
    walk: string
    verdict: Record<CommandMark, string>
    commands: string
    through(names: string): string
    rule(name: string): string
    rest(allowed: number, asked: number, denied: number): string
    fewer: string
    doubts: string
    doubt(because: string): string
    moreDoubts(count: number): string
  }
  diff: {
    count(added: number, removed: number): string
    added: string
    removed: string
    unchanged(count: number): string
    leftOut(count: number): string
    incomplete: string
    unterminated: string
  }
  tree: {
    keys(count: number): string
    items(count: number): string
    more(next: number, left: number): string
  }
  whole: { title: string; reveal: string; revealed: string }
  /** What must be read before it can be approved. */
  uncover: {
    title(values: number): string
    why: string
    done: string
    button: string
    again: string
    shown: string
  }
  why: {
    title: string
    titleOver: string
    /** The way to the page that shows what an MCP server has changed. */
    mcpChange: string
    says: string
    rule: string
    kind: Record<CommandVerdict, string>
    maybe: string
    builtIn: string
    about: string
    approvers: string
    needed(count: number, names: string): string
    group(name: string): string
    owner: string
    given: string
    open: string
    nobody: string
    others(count: number): string
    unknownTool: string
  }
  doing: {
    title: string
    agentSays: string
    before: string
    conversation: string
    /** The way to a session that has no conversation. */
    session: string
  }
  earlier: {
    title: string
    none: string
    likeness: Record<WireEarlier['likeness'], string>
    undecided: string
  }
  particulars: {
    title: string
    origins: string
    id: string
    callId: string
    session: string
    agent: string
    submittedBy: string
    /** The request before, of the same call. */
    follows: string
    createdAt: string
    tool: string
    origin: string
    digest: string
    rules: string
  }
  /** Every vote of a quorum. */
  votes: { soFar: string; approved: string; before: string; edited: string }
  result: {
    by(who: string, what: string, when: string): string
    elsewhere: string
    tooLate: string
    late: string
    outcomeBy(source: string, when: string): string
    cancelledBy(who: string): string
    lapsesAt(when: string): string
    stopped(who: string): string
  }
  settle: {
    title: string
    explain: string
    note: string
    ok: string
    error: string
    sending: string
  }
}

export const REQUEST_WORDS = translatedWords<RequestPageWords>(REQUEST_ENGLISH, REQUEST_CHINESE)

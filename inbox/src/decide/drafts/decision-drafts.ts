/**
 * What somebody has written and not yet sent, request by request. It outlives a failed send, a lost connection, another
 * language, and closing and opening the request, as long as the page is open; it is gone once the answer is recorded.
 */
import { type Signal, signal } from '@preact/signals'
import type { EditDraft } from '../edit/draft/edit-draft.ts'
import { type AnswerDraft, isAnswered } from './answer-draft.ts'

export interface DecisionDraft {
  /** Why it is rejected. */
  reason: string
  /** The response in the tool's place. */
  text: string
  /** Once something was written in it. */
  edit?: EditDraft
  /** To questions, by their ids. */
  answers: ReadonlyMap<string, AnswerDraft>
}

export interface DecisionDrafts {
  of(id: string): Signal<DecisionDraft>
  forget(id: string): void
}

const EMPTY: DecisionDraft = { reason: '', text: '', answers: new Map() }
/** Nobody writes so many answers at the same time. */
const KEEP = 100

export function createDecisionDrafts(): DecisionDrafts {
  /** The one that was looked at last comes last. */
  const drafts = new Map<string, Signal<DecisionDraft>>()
  return {
    of(id) {
      const draft = drafts.get(id) ?? signal(EMPTY)
      drafts.delete(id)
      drafts.set(id, draft)
      for (const [oldest, { value }] of drafts) {
        if (drafts.size <= KEEP) break
        if (oldest !== id && isEmptyDraft(value)) drafts.delete(oldest)
      }
      for (const oldest of drafts.keys()) {
        if (drafts.size <= KEEP) break
        drafts.delete(oldest)
      }
      return draft
    },
    forget(id) {
      const draft = drafts.get(id)
      if (draft !== undefined) draft.value = EMPTY
    },
  }
}

export function isEmptyDraft({ reason, text, edit, answers }: DecisionDraft): boolean {
  if (reason.trim() !== '' || text.trim() !== '') return false
  return edit === undefined && ![...answers.values()].some(isAnswered)
}

let kept: { subject: string; drafts: DecisionDrafts } | undefined

/** Those of the person who is logged in. Another person on the same page begins without. */
export function decisionDraftsOf(subject: string): DecisionDrafts {
  if (kept?.subject !== subject) kept = { subject, drafts: createDecisionDrafts() }
  return kept.drafts
}

/**
 * What a call would do, in one line: "Run git push origin main", "Edit src/app.ts (+3 −1)". Only the catalogue's word counts for the
 * verb: a tool that it doesn't know may do anything with a `path` and a `content`, so of such a tool the name is said and what it is
 * given (P9).
 */
import type { KnownTool } from '../core/known-tool.ts'
import { QUESTION_TOOL } from '../core/question.ts'
import type { IntentKind } from '../core/rendering.ts'
import type { Shape } from './arguments/argument-shapes.ts'
import type { RenderingWords } from './words/rendering-words.ts'

/** `target` is the first path or address of the call: without one, reading and fetching could be anything. */
export function intentOf(
  tool: string,
  shape: Shape['kind'],
  known: KnownTool | undefined,
  target: string | undefined,
): IntentKind {
  if (tool === QUESTION_TOOL) return 'question'
  switch (known?.kind) {
    case 'shell':
      return shape === 'command' || shape === 'words' ? 'command' : 'other'
    case 'edit':
      return shape === 'edit' || shape === 'write' ? shape : 'other'
    case 'read':
      return target === undefined ? 'other' : 'read'
    case 'network':
      return target !== undefined && /^https?:\/\//i.test(target) ? 'fetch' : 'other'
    default:
      return 'other'
  }
}

/** `gist` is the action itself on one line; `tool` its label. Both were made visible. */
export function titleOf(intent: IntentKind, tool: string, gist: string, words: RenderingWords): string {
  if (intent === 'question') return gist
  return intent === 'other' ? `${tool}: ${gist}` : words.verbs[intent](gist)
}

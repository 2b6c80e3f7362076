/**
 * What the person at the other end is shown of a request. Arguments go out as a structure, since that is what clients of
 * the original print; so every text in it is made visible here, and secrets are masked (P9).
 */

import { contentOf } from '../../core/call.ts'
import type { Vote } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { currentTerms, type Request, shownBytes, shownDigest } from '../../core/request.ts'
import { commandLineOf } from '../../display/arguments/command-line-of.ts'
import { type MaskedArguments, maskArguments } from '../../display/masks/mask.ts'
import { makeVisibleWithin } from '../../display/text/shorten.ts'
import { makeVisible } from '../../display/text/visible.ts'
import { approvalBounds, sayBounds } from '../../display/words/approval-bounds.ts'
import type { Deciding } from '../driver.ts'
import { sessionKeyOf } from './conversation-id.ts'
import { toSeconds } from './envelopes.ts'

/**
 * The id by which a client answers. It stands for one digest: after an edit by someone else the request has another, so an
 * answer that crosses with the new push can't approve what its sender has not seen (P3).
 */
export function wireId(request: Request): string {
  const digest = shownDigest(request)
  return digest === request.digest ? request.id : `${request.id}.${digest.slice(0, 16)}`
}

/** The data of `tool_approval`: the original's three members first, then ours. */
export function approvalData(request: Request, knownTool: Deciding['knownTool']): JsonObject {
  return {
    request_id: wireId(request),
    tool: visible(request.tool),
    ...shownArguments(request, knownTool),
    ...surroundings(request),
    severity: currentTerms(request).severity,
  }
}

/** The data of `user_question`. */
export function questionData(request: Request): JsonObject {
  const questions = (request.questions ?? []).map(
    ({ id, question, header, options, multiSelect, freeText }) => ({
      id,
      question: visible(question),
      ...(header === undefined ? {} : { header: visible(header) }),
      // Labels are sent back as they are, so they go out as they are.
      ...(options === undefined
        ? {}
        : {
            options: options.map(({ label, description }) => ({
              label,
              ...(description === undefined ? {} : { description: visible(description) }),
            })),
          }),
      multi_select: multiSelect === true,
      free_text: options === undefined || freeText === true,
    }),
  )
  return { request_id: wireId(request), questions, ...surroundings(request) }
}

/** The data of `tool_approval_resolved`: what became of the question, not of the call. */
export function resolutionData(request: Request, asked: string): JsonObject {
  const { decision, cancelled, votes = [] } = request.progress
  const told = decision ?? cancelled
  return {
    request_id: asked,
    tool: visible(request.tool),
    state: resolution(request),
    ...defined({ by: told?.by }),
    ...(votes.length === 0 ? {} : { votes: votes.map(shownVote) }),
    ...(told?.reason === undefined ? {} : { reason: visible(told.reason) }),
  }
}

/** Every approval that the decision took, or that was given before it went otherwise. */
export function shownVote({ by, at, via, reason }: Vote): JsonObject {
  return { by, at: toSeconds(at), via, ...(reason === undefined ? {} : { reason: visible(reason) }) }
}

/** A line for people with a client that knows no questions. */
export function questionLine(request: Request): string {
  return (request.questions ?? []).map(({ question }) => visible(question)).join('\n')
}

/** How much of each text is shown: all of it first, then less, until it fits a frame. */
const CAPS = [Number.POSITIVE_INFINITY, 4096, 400, 40]
const MAX_SHOWN = 64 * 1024
/** Of a line that says what the arguments say too. */
const LONGEST_LINE = 4096
/** Nearly all are: they are not written out for the sake of their length. */
const SMALL = 8 * 1024

function shownArguments(request: Request, knownTool: Deciding['knownTool']): JsonObject {
  const bytes = shownBytes(request)
  if (bytes === '') return { arguments: {}, erased: true }
  const content = contentOf(bytes)
  const known = knownTool(content)
  const line = commandLineOf(content.arguments, { limit: LONGEST_LINE, known })
  const masked = maskArguments(content.arguments, known)
  const elsewhere = sayBounds(approvalBounds(masked), 'en')
  return {
    ...withinFrame(masked, bytes.length),
    ...defined({ command_line: line }),
    // It can be rejected here, and is approved where it can be seen.
    ...(elsewhere === undefined
      ? {}
      : { approvable: false, approve_in: `/#/pending/${request.id}`, approve_note: elsewhere }),
    ...(content.cwd === undefined ? {} : { cwd: visible(content.cwd) }),
  }
}

/** What is cut says so where it is cut, and the whole of it is in the inbox. */
function withinFrame(masked: MaskedArguments, size: number): JsonObject {
  if (size <= SMALL) return { arguments: visibleArguments(masked, Number.POSITIVE_INFINITY) }
  for (const cap of CAPS) {
    const shown = visibleArguments(masked, cap)
    if (JSON.stringify(shown).length > MAX_SHOWN) continue
    return { arguments: shown, ...(cap === CAPS[0] ? {} : { shortened: true }) }
  }
  return { arguments: { json: within(JSON.stringify(masked.value), MAX_SHOWN / 4) }, shortened: true }
}

function visibleArguments({ value, masks }: MaskedArguments, cap: number): JsonObject {
  const masked = new Set(masks.map(({ pointer }) => pointer))
  const show = (text: string) => (text.length <= cap ? visible(text) : within(text, cap))
  const visit = (each: JsonValue, pointer: string): JsonValue => {
    if (typeof each === 'string') return masked.has(pointer) ? each : show(each)
    if (typeof each !== 'object' || each === null) return each
    if (Array.isArray(each)) return each.map((item, index) => visit(item, pointer + pointerStep(index)))
    const members = Object.entries(each).map(([key, member]): [string, JsonValue] => {
      return [visible(key), visit(member, pointer + pointerStep(key))]
    })
    // `fromEntries` defines members, so that one named `__proto__` stays a member.
    return Object.fromEntries(members)
  }
  return visit(value, '') as JsonObject
}

function within(text: string, cap: number): string {
  return makeVisibleWithin(text, cap).value.text
}

function surroundings(request: Request): JsonObject {
  const conversation = request.origin?.conversation
  const key = conversation === undefined ? undefined : sessionKeyOf(conversation)
  return {
    tool_call_id: request.callId,
    ...defined({ session_key: key }),
    expires_at: request.deadline === null ? null : toSeconds(request.deadline),
    because: visible(request.because),
    ...(request.agent === undefined ? {} : { agent: visible(request.agent.name) }),
  }
}

function resolution(request: Request): string {
  switch (request.progress.decision?.kind) {
    case 'approve':
    case 'edit':
      return 'approved'
    case 'reject':
      return request.kind === 'question' ? 'declined' : 'rejected'
    case 'respond':
    case 'answer':
      return 'answered'
    case 'terminate':
      return 'terminated'
    case undefined:
      return request.state
  }
}

export function visible(text: string): string {
  return makeVisible(text, { lines: 'keep' }).text
}

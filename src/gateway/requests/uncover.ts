/**
 * Looking under the masks of a request, and what an approval needs of it (P9). A value that is hidden because of its name,
 * and is not plainly a secret, is approved only by who has uncovered it in the call as it is now. That is on the request
 * itself, so it outlives a restart and every node knows it.
 */

import { type CallContent, contentOf } from '../../core/call.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { hasUncovered, type Request, shownBytes, shownContent, shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { valueAt } from '../../display/masks/json-pointer.ts'
import { type MaskedArguments, maskArguments } from '../../display/masks/mask.ts'
import { type ApprovalBounds, approvalBounds } from '../../display/words/approval-bounds.ts'
import type { Channel, Presentation } from '../../people/channel.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import type { RequestChanges } from './change-request.ts'

/** What bounds an approval of the call as it is shown now. */
export interface RequestBounds extends ApprovalBounds {
  /** Whether this person has uncovered what must be. */
  uncovered: boolean
}

export interface Uncovering {
  bounds(request: Request, actor: Actor): RequestBounds
  /** Throws where this person can't approve the call from where they are. `edited` is what they would make of it. */
  check(request: Request, actor: Actor, edited?: CallContent): void
  /** The arguments as they are. That somebody looked is on the record before they are given. */
  uncover(request: Request, actor: Actor): Promise<JsonObject>
}

export interface UncoveringPorts {
  policy: () => Policy
  channels: readonly Channel[]
  store: Pick<Store, 'now' | 'journal'>
  journal: JournalWriter
  changes: RequestChanges
}

export function createUncovering({ policy, channels, store, journal, changes }: UncoveringPorts): Uncovering {
  const boundsOf = (content: CallContent) => approvalBounds(maskedCall(policy(), content))

  function checkInChat(request: Request, content: CallContent): void {
    const { inChat, uncover } = boundsOf(content)
    if (inChat) return
    const why = reasonOf(uncover.length > 0 ? 'hidden.uncover-first' : 'hidden.unknown-tool')
    const reason = reasonOf('problem.not-in-chat', { why, place: placeOf(request) })
    throw reasonedError('approve_elsewhere', reason, { uncover })
  }

  return {
    bounds(request, { subject }) {
      const masked = request.kind === 'question' ? undefined : maskedCallOf(policy(), request)
      if (masked === undefined) return { uncover: [], inChat: true, uncovered: true }
      const bounds = approvalBounds(masked)
      return { ...bounds, uncovered: bounds.uncover.length === 0 || hasUncovered(request, subject) }
    },
    check(request, actor, edited) {
      const shown = contentOf(shownBytes(request))
      // Whoever comes by an account of another service is in a chat, whatever its channel is called here.
      const isInChat = channels.some((channel) => channel.name === actor.via && isChat(channel))
      if (isInChat || actor.account !== undefined) {
        for (const content of edited === undefined ? [shown] : [shown, edited]) checkInChat(request, content)
      }
      const { uncover } = boundsOf(shown)
      // What somebody wrote themselves they have seen.
      const kept =
        edited === undefined ? uncover : uncover.filter((pointer) => isKept(pointer, shown, edited))
      if (kept.length === 0 || hasUncovered(request, actor.subject)) return
      const where = { values: kept, place: placeOf(request) }
      const reason =
        kept.length === 1
          ? reasonOf('problem.uncover-one', where)
          : reasonOf('problem.uncover', { ...where, count: kept.length })
      throw reasonedError('uncover_first', reason, { uncover: kept })
    },
    async uncover(request, actor) {
      const { id } = request
      const { subject: by, via } = actor
      await store.journal.append(journal.entry('mask.lifted', { on: id, by, via }))
      const shown = contentOf(shownBytes(request))
      const isWanted =
        request.state === 'pending' && request.kind !== 'question' && boundsOf(shown).uncover.length > 0
      if (!isWanted || hasUncovered(request, by)) return shown.arguments
      const { request: looked } = await changes.change(
        id,
        (now) => ({
          event: { kind: 'look', look: { by, at: store.now(), via, digest: shownDigest(now) } },
          describe: () => ({ type: 'request.uncovered', members: { by, via, state: 'pending' } }),
        }),
        request,
      )
      return contentOf(shownBytes(looked)).arguments
    },
  }
}

/** In the inbox. */
function placeOf({ id }: Request): string {
  return `#/pending/${id}`
}

function maskedCall(policy: Policy, content: CallContent): MaskedArguments {
  return maskArguments(content.arguments, policy.knownTool(content))
}

function maskedCallOf(policy: Policy, request: Request): MaskedArguments | undefined {
  const content = shownContent(request)
  return content && maskedCall(policy, content)
}

/** What a channel is told with a request that it is to show. */
export function approvableIn(policy: Policy, request: Request, channel: Channel): Presentation['approvable'] {
  if (!isChat(channel) || request.kind === 'question') return { here: true }
  const masked = maskedCallOf(policy, request)
  if (masked === undefined) return { here: true }
  const bounds = approvalBounds(masked)
  return bounds.inChat ? { here: true } : { here: false, bounds }
}

/** Where people see less of a request than on its own page. */
function isChat({ kind, pull }: Channel): boolean {
  return kind === 'live' || pull !== true
}

function isKept(pointer: string, shown: CallContent, edited: CallContent): boolean {
  return valueAt(edited.arguments, pointer) === valueAt(shown.arguments, pointer)
}

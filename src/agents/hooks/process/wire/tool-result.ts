/**
 * A tool's result on the wire both ways. A hook can't finish something later, and what is on the shelf names itself, so
 * `async` and `artifact_tags` are passed over.
 */

import type { MediaItem } from '../../../../core/conversation.ts'
import { defined } from '../../../../core/defined.ts'
import type { GivenResult } from '../../hook.ts'
import { isMembers, keysOf, listAt, optionalFlag, optionalText, type WireMembers } from './fields.ts'
import { dataUrl, readMedia, referenceTo } from './media.ts'

export function toolResultToWire({ text, isError, forUser, media = [], handled }: GivenResult) {
  const refs = media.map((one) => ('data' in one ? dataUrl(one) : referenceTo(one.id)))
  return {
    for_llm: text,
    ...defined({ for_user: forUser }),
    silent: false,
    is_error: isError === true,
    async: false,
    ...(media.length === 0
      ? {}
      : {
          media: refs,
          // Ours: what stands behind the references.
          attachments: media.map(({ type, name }, index) => ({
            type: type.split('/')[0]!,
            ref: refs[index]!,
            content_type: type,
            ...defined({ filename: name }),
          })),
        }),
    ...(handled === true ? { response_handled: true } : {}),
  }
}

/**
 * On the host's side with the media that were sent: those that are named again are the very same, and of others only the
 * shelf knows the type, whatever the hook says.
 */
export function toolResultFromWire(
  members: WireMembers,
  at: string,
  sent?: NonNullable<GivenResult['media']>,
): GivenResult {
  const text = optionalText(members, 'for_llm', at)
  const forUser = optionalText(members, 'for_user', at)
  const media = listAt(members, 'media', at).map((value, index) => {
    const read = readMedia(value, `${at}.media[${index}]`)
    if (read.kind === 'data') {
      return { type: read.type, data: read.data, ...defined({ name: read.name }) }
    }
    if (sent === undefined) return itemFromWire(members, read.id)
    return sent.find((one) => 'id' in one && one.id === read.id) ?? { id: read.id, type: UNKNOWN_TYPE }
  })
  if (text === undefined && forUser === undefined && media.length === 0) {
    throw new Error(`${at} must have for_llm, the text for the model; found: ${keysOf(members)}`)
  }
  const isSilent = optionalFlag(members, 'silent', at) === true
  return {
    text: text ?? '',
    isError: optionalFlag(members, 'is_error', at) === true,
    ...(forUser === undefined || forUser === '' || isSilent ? {} : { forUser }),
    ...(media.length === 0 ? {} : { media }),
    ...(optionalFlag(members, 'response_handled', at) === true ? { handled: true } : {}),
  }
}

export function isSameResult(one: GivenResult, other: GivenResult): boolean {
  return (
    one.text === other.text &&
    (one.isError === true) === (other.isError === true) &&
    (one.forUser ?? '') === (other.forUser ?? '') &&
    (one.handled === true) === (other.handled === true) &&
    (one.media ?? []).length === (other.media ?? []).length &&
    (one.media ?? []).every((item, index) => item === other.media?.[index])
  )
}

function itemFromWire(members: WireMembers, id: string): MediaItem {
  const attachments = Array.isArray(members.attachments) ? members.attachments : []
  const about: unknown = attachments.find((one) => isMembers(one) && one.ref === referenceTo(id))
  const { content_type: type, filename: name } = isMembers(about) ? about : {}
  return {
    id,
    type: typeof type === 'string' ? type : UNKNOWN_TYPE,
    ...(typeof name === 'string' ? { name } : {}),
  }
}

const UNKNOWN_TYPE = 'application/octet-stream'

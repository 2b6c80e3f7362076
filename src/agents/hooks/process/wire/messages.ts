/**
 * The conversation on the wire, both ways. A message that a hook gives back as it was sent is the very one that was sent,
 * with what never goes over the wire: pictures' bytes, and what the provider wants to see again. A changed message has
 * neither but for pictures that it still names, because a provider's signature of other words would be false.
 */
import { defined } from '../../../../core/defined.ts'
import type { ModelCall, ModelMedia, ModelMessage } from '../../../models/model.ts'
import { listAt, nameAt, objectAt, optionalFlag, optionalText, type WireMembers, wrong } from './fields.ts'
import { dataUrl, readMedia, referenceTo } from './media.ts'

export interface HookWireMessage {
  role: ModelMessage['role']
  content: string
  reasoning_content?: string
  tool_calls?: HookWireCall[]
  tool_call_id?: string
  media?: string[]
  attachments?: { type: string; ref: string; content_type: string }[]
  /** Ours: of a tool's message. */
  name?: string
  is_error?: boolean
}

export interface HookWireCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** In the hook: stands for bytes that stayed with the host, and is sent back as it came. */
export interface ReferredMedia extends ModelMedia {
  ref: string
}

/** How a picture or file is named: on the host's side by its place, in the hook by `referOrEmbed`. */
type Naming = (media: ModelMedia, message: number, position: number) => string

export function messagesToWire(
  messages: readonly ModelMessage[],
  naming: Naming = byPlace,
): HookWireMessage[] {
  return messages.map((message, index) => messageToWire(message, index, naming))
}

/** What stayed with the host as it came, what is new whole. */
export function referOrEmbed(media: ModelMedia): string {
  return (media as Partial<ReferredMedia>).ref ?? dataUrl(media)
}

/** With the messages that were sent, on the host's side. */
export function messagesFromWire(
  list: readonly unknown[],
  at: string,
  sent?: readonly ModelMessage[],
): ModelMessage[] {
  const keys = (sent ?? []).map((message, index) => keyOf(messageToWire(message, index, byPlace)))
  const unchanged = new Map(keys.map((key, index) => [key, sent![index]!]))
  const tools = new Map<string, string>()
  return list.map((value, index) => {
    const members = objectAt(value, `${at}[${index}]`)
    const key = sent === undefined ? undefined : keyOf(members)
    // Of several that are alike it is the one in the same place.
    const same = key === undefined ? undefined : key === keys[index] ? sent?.[index] : unchanged.get(key)
    const message = same ?? messageFromWire(members, `${at}[${index}]`, tools, sent)
    if (message.role === 'assistant') for (const { id, tool } of message.calls) tools.set(id, tool)
    return message
  })
}

export function callsToWire(calls: readonly ModelCall[]): HookWireCall[] {
  return calls.map(({ id, tool, argumentsText }) => ({
    id,
    type: 'function',
    function: { name: tool, arguments: argumentsText },
  }))
}

/** A call that came back unchanged is the very one that was sent. */
export function callsFromWire(
  list: readonly unknown[],
  at: string,
  sent: readonly ModelCall[] = [],
): ModelCall[] {
  return list.map((value, index) => {
    const place = `${at}[${index}]`
    const members = objectAt(value, place)
    const body = objectAt(members.function, `${place}.function`)
    const id = nameAt(members, 'id', place)
    const tool = nameAt(body, 'name', `${place}.function`)
    const argumentsText = optionalText(body, 'arguments', `${place}.function`) ?? '{}'
    const same = sent.find(
      (call) => call.id === id && call.tool === tool && call.argumentsText === argumentsText,
    )
    return same ?? { id, tool, argumentsText }
  })
}

function messageToWire(message: ModelMessage, index: number, naming: Naming): HookWireMessage {
  const wire: HookWireMessage = { role: message.role, content: message.text }
  if (message.role === 'assistant') {
    if (message.reasoning !== undefined) wire.reasoning_content = message.reasoning
    if (message.calls.length > 0) wire.tool_calls = callsToWire(message.calls)
  }
  if (message.role === 'tool') {
    wire.tool_call_id = message.callId
    wire.name = message.tool
    wire.is_error = message.isError
  }
  const media = message.role === 'user' || message.role === 'tool' ? message.media : undefined
  if (media !== undefined && media.length > 0) {
    const refs = media.map((one, position) => naming(one, index, position))
    wire.media = refs
    wire.attachments = media.map(({ type }, position) => ({
      type: type.split('/')[0]!,
      ref: refs[position]!,
      content_type: type,
    }))
  }
  return wire
}

const ATTACHED = 'attached/'

function byPlace(_: ModelMedia, message: number, position: number): string {
  return referenceTo(`${ATTACHED}${message}/${position}`)
}

function messageFromWire(
  members: WireMembers,
  at: string,
  tools: ReadonlyMap<string, string>,
  sent: readonly ModelMessage[] | undefined,
): ModelMessage {
  const text = optionalText(members, 'content', at) ?? ''
  switch (members.role) {
    case 'system':
      return { role: 'system', text }
    case 'user':
      return { role: 'user', text, ...mediaFromWire(members, at, sent) }
    case 'assistant': {
      const reasoning = optionalText(members, 'reasoning_content', at)
      const calls = callsFromWire(listAt(members, 'tool_calls', at), `${at}.tool_calls`)
      return { role: 'assistant', text, ...defined({ reasoning }), calls }
    }
    case 'tool': {
      const callId = nameAt(members, 'tool_call_id', at)
      const before = sent?.find((one) => one.role === 'tool' && one.callId === callId)
      const known = before?.role === 'tool' ? before : undefined
      const tool = optionalText(members, 'name', at) ?? known?.tool ?? tools.get(callId) ?? ''
      const isError = optionalFlag(members, 'is_error', at) ?? known?.isError ?? false
      return { role: 'tool', callId, tool, text, isError, ...mediaFromWire(members, at, sent) }
    }
    default:
      return wrong(`${at}.role`, 'system, user, assistant or tool', members.role)
  }
}

function mediaFromWire(
  members: WireMembers,
  at: string,
  sent: readonly ModelMessage[] | undefined,
): { media?: ModelMedia[] } {
  const list = listAt(members, 'media', at)
  if (list.length === 0) return {}
  const media = list.map((value, index): ModelMedia => {
    const place = `${at}.media[${index}]`
    const read = readMedia(value, place)
    if (read.kind === 'data') return { type: read.type, data: read.data }
    if (sent === undefined) return referred(members, String(value))
    return attached(read.id, sent) ?? wrong(place, 'a picture or file of this request, or a data: URL', value)
  })
  return { media }
}

function attached(id: string, sent: readonly ModelMessage[]): ModelMedia | undefined {
  const [, message, position] = /^attached\/(\d+)\/(\d+)$/.exec(id) ?? []
  const found = sent[Number(message)]
  return found !== undefined && 'media' in found ? found.media?.[Number(position)] : undefined
}

function referred(members: WireMembers, ref: string): ReferredMedia {
  const about = (Array.isArray(members.attachments) ? members.attachments : []).find(
    (one) => one?.ref === ref,
  )
  const type = typeof about?.content_type === 'string' ? about.content_type : 'application/octet-stream'
  return { type, data: new Uint8Array(0), ref }
}

/** What makes two messages the same. Members that are ours alone are left out: a typed hook may drop them. */
function keyOf(message: WireMembers | HookWireMessage): string {
  const { role, content, reasoning_content, tool_calls, tool_call_id, media } = message as WireMembers
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).map((call) => [
    call?.id,
    call?.function?.name,
    call?.function?.arguments,
  ])
  return JSON.stringify([
    role,
    content ?? '',
    reasoning_content ?? '',
    calls,
    tool_call_id ?? '',
    media ?? [],
  ])
}

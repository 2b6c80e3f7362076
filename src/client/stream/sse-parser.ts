/**
 * Reads server-sent events from bytes. Browsers have this only in `EventSource`, which can't send a credential in
 * a header. However the network cuts the stream, inside a character or between CR and LF, the messages are the
 * same. What a dropped connection leaves half-said is not a message.
 */

export interface SseMessage {
  /** `message` where the server names none. */
  event: string
  data: string
  /** The last id that the server gave, with this message or before; empty when it gave none. */
  id: string
}

export interface SseParser {
  /** The messages that are complete with these bytes. */
  push(bytes: Uint8Array): SseMessage[]
  /** The id from which to go on: it counts once the blank line after it has come. */
  lastId(): string
}

/** Ten times the largest call with its rendering. A server that never ends a message must not fill our memory. */
const MAX_MESSAGE_CHARACTERS = 32 * 1024 * 1024

export function createSseParser(): SseParser {
  const decoder = new TextDecoder()
  let rest = ''
  let isAfterCr = false
  let lastId = ''
  let id: string | undefined
  let event = ''
  let data: string[] = []
  let size = 0

  function take(line: string): SseMessage | undefined {
    if (line === '') return finish()
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') {
      data.push(value)
      size += value.length
    } else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    return undefined
  }

  function finish(): SseMessage | undefined {
    lastId = id ?? lastId
    const message =
      data.length === 0
        ? undefined
        : { event: event === '' ? 'message' : event, data: data.join('\n'), id: lastId }
    id = undefined
    event = ''
    data = []
    size = 0
    return message
  }

  return {
    push(bytes) {
      let text = decoder.decode(bytes, { stream: true })
      if (text === '') return []
      if (isAfterCr && text[0] === '\n') text = text.slice(1)
      isAfterCr = text === '' ? false : text.endsWith('\r')

      const messages: SseMessage[] = []
      let from = 0
      for (const end of text.matchAll(/\r\n|\r|\n/g)) {
        const message = take(rest + text.slice(from, end.index))
        if (message !== undefined) messages.push(message)
        rest = ''
        from = end.index + end[0].length
      }
      rest += text.slice(from)
      if (rest.length + size > MAX_MESSAGE_CHARACTERS) {
        throw new RangeError(`the server sent a message of more than ${MAX_MESSAGE_CHARACTERS} characters`)
      }
      return messages
    },
    lastId: () => lastId,
  }
}

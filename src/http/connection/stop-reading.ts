/**
 * An answer that comes before the whole request has, such as a 401 or a 413, ends the exchange: what still comes of the body
 * is of no use to anybody. But many clients read nothing before they have written all, and would be told of a broken
 * connection in place of the answer. So a client that comes to its end within bounds of size and time may, and keeps its
 * connection; from one that goes on, nothing more is read, and the connection is closed. Left alone, Node reads and throws
 * away for as long as something comes.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is thrown away of a body after the answer: many times what any call may have, so that a mistake is told as one. */
export const MAX_DISCARDED_BYTES = 32 * 1024 * 1024
/** How long that may take. It goes on far below the time that a request may take to come in. */
const DISCARD_WITHIN_MS = 3000
/** Long enough for the answer to be read, which closing might cut off. */
const CLOSE_AFTER_MS = 500

export function stopReadingAfterAnswers(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Once it is answered the request no longer tells.
    const { socket } = request
    // Before Node's own, which has the rest thrown away without telling anybody.
    response.prependOnceListener('finish', () => {
      if (!request.complete) discardRest(request, socket)
    })
  })
}

function discardRest(request: IncomingMessage, socket: Socket): void {
  let left = MAX_DISCARDED_BYTES
  let isLast = false
  // To who asked for one exchange only, Node closes the connection as soon as the answer is written. It is put off.
  socket.destroySoon = () => {
    isLast = true
  }
  // Whoever has begun to read is left to go on with it.
  request.read(0)
  const settle = () => {
    clearTimeout(close)
    socket.off('close', settle)
    // The one that it had before.
    Reflect.deleteProperty(socket, 'destroySoon')
    if (isLast) socket.destroySoon()
  }
  // A body that has come whole may never be read to its end: it was paused, by us or by who had begun to read it.
  const giveUp = () => {
    if (request.complete) settle()
    else socket.destroy()
  }
  let close = setTimeout(giveUp, DISCARD_WITHIN_MS)
  request.on('data', ({ length }: Buffer) => {
    if (left < 0) return
    left -= length
    if (left >= 0) return
    request.pause()
    clearTimeout(close)
    close = setTimeout(giveUp, CLOSE_AFTER_MS)
  })
  request.once('end', settle)
  socket.once('close', settle)
}

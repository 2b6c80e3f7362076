/**
 * An answer that comes before the whole request has, such as a 401, ends the exchange: what still comes of the body is of
 * no use to anybody. A client that is about to finish may, and keeps its connection; from one that goes on, nothing more
 * is read, and the connection is closed. Left alone, Node reads and throws away for as long as something comes.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is thrown away of a body after the answer: what is on its way already. */
export const MAX_DISCARDED_BYTES = 256 * 1024
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
  // Whoever has begun to read is left to go on with it.
  request.read(0)
  const close = setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, CLOSE_AFTER_MS)
  request.on('data', ({ length }: Buffer) => {
    left -= length
    if (left < 0) request.pause()
  })
  request.once('end', () => clearTimeout(close))
  socket.once('close', () => clearTimeout(close))
}

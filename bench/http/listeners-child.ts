/** Listeners of the benchmark `listeners`: `<url> <token> <language> <count>`. Says when all of them have a request. */
import { Agent, request } from 'node:http'

const [url, token, language, count] = process.argv.slice(2)
const wanted = Number(count)
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
const having = new Map<string, number>()

await Promise.all(Array.from({ length: wanted }, listen))
process.send?.({ callId: '', at: '0' })

/** Resolves at the first event: from then on everything is told. */
function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-language': language }
    const outgoing = request(`${url}/v1/events`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream answered ${response.statusCode}`))
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          hear(text.slice(0, end), resolve)
          text = text.slice(end + 2)
        }
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function hear(message: string, begun: () => void): void {
  if (message.startsWith('event: reset')) begun()
  if (!message.startsWith('event: request')) return
  // All of it has come. To read it is not what is measured: a thousand listeners are not one process elsewhere.
  const callId = /"callId":"([^"]*)"/.exec(message)?.[1] ?? ''
  const have = (having.get(callId) ?? 0) + 1
  having.set(callId, have)
  if (have === wanted) process.send?.({ callId, at: String(process.hrtime.bigint()) })
}

/**
 * The plugin that opencode loads. opencode drops a plugin that can't be loaded without a word and runs the tools, so nothing is done
 * while it is loaded, and it needs nothing but what every runtime has. What it throws before a call ends that call, and the model reads it.
 */
import type { HookWiring } from '../setup/agent-setup.ts'

/** A little more than the server takes to answer. */
const ANSWER_WITHIN_MS = 600_000
const REPORT_WITHIN_MS = 5_000

export function opencodePlugin({ server, tokenFile }: Pick<HookWiring, 'server' | 'tokenFile'>): string {
  const place =
    server.kind === 'socket'
      ? { socketPath: server.path, host: 'banksman', path: '/v1/hooks/opencode' }
      : placeOf(`${server.url.replace(/\/+$/, '')}/v1/hooks/opencode`)
  return `// Banksman's plugin for opencode. \`banksman connect opencode\` wrote it, and \`banksman disconnect opencode\` removes it.
// Each call is sent to the server before it is made. Whatever isn't plainly a yes throws, and the call isn't made then.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'

const PLACE = ${JSON.stringify(place)}
const TOKEN_FILE = ${JSON.stringify(tokenFile)}

function send(event, limit, signal) {
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error('Banksman: not allowed: ' + why))
    const body = Buffer.from(JSON.stringify({ version: 1, ...event }))
    const { protocol, host, ...place } = PLACE
    const headers = {
      host,
      authorization: readFileSync(TOKEN_FILE, 'utf8').trim().replace(/^Authorization: /, ''),
      'content-type': 'application/json',
      'content-length': body.byteLength,
    }
    const sent = (protocol === 'https:' ? https : http).request({ ...place, method: 'POST', headers, agent: false, signal })
    const timer = setTimeout(() => {
      sent.destroy()
      fail('the server did not answer in time')
    }, limit)
    sent.on('error', (error) => {
      clearTimeout(timer)
      fail('the server did not answer (' + error.message + '); is it running? Start it with: banksman start')
    })
    sent.on('response', (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', () => fail('the answer was cut off'))
      response.on('close', () => {
        clearTimeout(timer)
        if (!response.complete) return fail('the answer was cut off')
        if (response.statusCode === 401 || response.statusCode === 403)
          return fail('the token of this hook is not valid; a person has to run: banksman connect opencode')
        if (response.statusCode !== 200) return fail('the server answered with status ' + response.statusCode)
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')))
        } catch {
          fail('the server did not answer in a form that is known')
        }
      })
    })
    sent.end(body)
  })
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

export const Banksman = async ({ directory }) => {
  // Calls that wait, by their session: when it stops, nobody waits for them any longer.
  const waiting = new Map()
  const stopWaiting = (session) => {
    for (const stop of waiting.get(session) ?? []) stop.abort()
  }

  async function decide(event) {
    const stop = new AbortController()
    const others = waiting.get(event.sessionID) ?? new Set()
    waiting.set(event.sessionID, others.add(stop))
    try {
      for (;;) {
        const answer = await send(event, ${ANSWER_WITHIN_MS}, stop.signal)
        if (!isObject(answer)) throw new Error('Banksman: not allowed: the server did not answer in a form that is known')
        if (answer.decision !== 'deny' || answer.waiting !== true) return answer
      }
    } finally {
      others.delete(stop)
      if (others.size === 0) waiting.delete(event.sessionID)
    }
  }

  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const answer = await decide({ phase: 'before', sessionID, callID, tool, args: output.args, directory })
      if (answer.decision === 'none') return
      if (answer.decision === 'allow' && isObject(answer.args) && isObject(output.args)) {
        for (const name of Object.keys(output.args)) delete output.args[name]
        Object.assign(output.args, answer.args)
        return
      }
      const because = answer.decision === 'deny' && typeof answer.reason === 'string' ? answer.reason : ''
      throw new Error(because || 'Banksman: not allowed: the server did not answer in a form that is known')
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      try {
        const event = { phase: 'after', sessionID, callID, tool, ...(isObject(args) ? { args } : {}), ok: true }
        const { note } = await send(event, ${REPORT_WITHIN_MS})
        if (typeof note === 'string' && typeof output?.output === 'string') output.output += '\\n\\n' + note
      } catch {
        // It was made, and nobody is in its way.
      }
    },
    event: async ({ event }) => {
      const session = event?.properties?.sessionID ?? event?.properties?.info?.id
      if (typeof session !== 'string' || !['session.idle', 'session.error', 'session.deleted'].includes(event.type)) return
      stopWaiting(session)
      await send({ phase: 'over', sessionID: session }, ${REPORT_WITHIN_MS}).catch(() => {})
    },
  }
}
`
}

function placeOf(url: string): Record<string, string> {
  const { protocol, hostname, port, host, pathname } = new URL(url)
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, host, path: pathname }
}

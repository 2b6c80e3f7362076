/** The server itself: whether it is up, what its API is, what it counts. */
import { BanksmanError } from '../../../core/errors.ts'
import * as answers from '../../../wire/answers.ts'
import { answerProblem } from '../../to-wire/problem.ts'
import { json, publicRoute, type Route, route } from '../route.ts'

export interface AboutParts {
  version: string
  /** Throws while the store does not answer: then nothing can be decided here, and callers do better elsewhere. */
  checkHealth?: () => Promise<void>
  /** The metrics as Prometheus text. */
  metrics?: () => string | Promise<string>
}

export function aboutRoutes({ version, metrics, checkHealth }: AboutParts, describe: () => object): Route[] {
  const routes = [
    // Supervisors have no credential, and it tells nothing about anyone.
    publicRoute('GET /healthz', {
      summary: 'Whether the server is up, and its store answers.',
      answers: [json('It is.', answers.health), { status: 503, description: 'Its store does not answer.' }],
      async answer({ c }) {
        try {
          await checkHealth?.()
        } catch {
          // Whoever asks is nobody we know: what is wrong with the store is in the log, and not once for each who asks.
          return answerProblem(c, new BanksmanError('store_unavailable', 'the store does not answer'))
        }
        return { status: 'ok', version }
      },
    }),
    route('GET /openapi.json', {
      summary: 'This description.',
      access: 'anyone',
      answers: [{ status: 200, description: 'The OpenAPI description.' }],
      answer: () => describe(),
    }),
  ]
  if (metrics !== undefined) {
    routes.push(
      route('GET /metrics', {
        summary: 'Metrics in the text format of Prometheus.',
        access: 'people',
        answers: [{ status: 200, description: 'The metrics.', mediaType: 'text/plain' }],
        answer: async ({ c }) =>
          c.body(await metrics(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
      }),
    )
  }
  return routes
}

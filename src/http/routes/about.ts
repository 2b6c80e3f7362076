/** The server itself: whether it is up, what its API is, what it counts. */
import type { HttpParts } from '../parts.ts'
import { publicRoute, type Route, route } from '../route.ts'
import * as answers from '../schemas/answers.ts'

export function aboutRoutes({ version, metrics }: HttpParts, describe: () => object): Route[] {
  const routes = [
    // Supervisors have no credential, and it tells nothing about anyone.
    publicRoute({
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the server is up.',
      answers: [{ status: 200, description: 'It is.', schema: answers.health }],
      answer: ({ c }) => c.json({ status: 'ok', version }),
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This description.',
      access: 'anyone',
      answers: [{ status: 200, description: 'The OpenAPI description.' }],
      answer: ({ c }) => c.json(describe()),
    }),
  ]
  if (metrics !== undefined) {
    routes.push(
      route({
        method: 'GET',
        path: '/metrics',
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

/**
 * The HTTP app: the native routes, the stream and the socket, and the web app's files. It knows no port; see `start.ts`.
 *
 * Order: where the request comes from, who it is, what it says. A path that nobody serves needs a credential too, so
 * that a stranger learns nothing from asking around.
 */
import { Hono } from 'hono'
import { BanksmanError } from '../core/errors.ts'
import { authenticate } from './access/authentication.ts'
import { checkRequestSource } from './access/check-request-source.ts'
import type { HttpContext, HttpEnv } from './connection/http-context.ts'
import { liveConnectionParts } from './connection/live-connection.ts'
import { doorRoutes } from './doors/door-routes.ts'
import type { HttpParts } from './http-parts.ts'
import { describeApi } from './openapi.ts'
import { aboutRoutes } from './routes/administration/about.ts'
import { chatRoutes } from './routes/administration/chats.ts'
import { credentialRoutes } from './routes/administration/credentials.ts'
import { demonstrationRoutes } from './routes/administration/demonstration.ts'
import { nodeRoutes } from './routes/administration/nodes.ts'
import { policyRoutes } from './routes/administration/policy.ts'
import { pushRoutes } from './routes/administration/push.ts'
import { callRoutes } from './routes/calls/calls.ts'
import { claimRoutes } from './routes/calls/claims.ts'
import { holdRoutes } from './routes/calls/holds.ts'
import { hookRoutes } from './routes/hooks/hooks.ts'
import { mcpRoutes } from './routes/mcp/mcp.ts'
import { historyRoutes } from './routes/record/history.ts'
import { journalRoutes } from './routes/record/journal.ts'
import { carriedStreamRoutes } from './routes/requests/carried-streams.ts'
import { grantRoutes } from './routes/requests/grants.ts'
import { interruptRoutes } from './routes/requests/interrupt.ts'
import { liveRoutes } from './routes/requests/live.ts'
import { requestRoutes } from './routes/requests/requests.ts'
import { viewRoutes } from './routes/requests/view.ts'
import type { Route } from './routes/route.ts'
import { codingSessionRoutes } from './routes/sessions/coding-sessions.ts'
import { conversationRoutes } from './routes/sessions/conversation.ts'
import { mediaRoutes } from './routes/sessions/media.ts'
import { sessionListRoutes } from './routes/sessions/session-list.ts'
import { sessionRoutes } from './routes/sessions/sessions.ts'
import { answerProblem, toPublicError } from './to-wire/problem.ts'

export function createHttpApp(parts: HttpParts): Hono<HttpEnv> {
  const { gateway, report } = parts
  const live = liveConnectionParts(parts)
  let description: object | undefined
  const routes: Route[] = [
    ...callRoutes(gateway),
    ...holdRoutes(gateway),
    ...hookRoutes(live),
    ...mcpRoutes(parts),
    ...requestRoutes(gateway),
    ...viewRoutes(parts),
    ...claimRoutes(gateway),
    ...liveRoutes(live),
    ...carriedStreamRoutes(live, (request, env) => app.fetch(request, env)),
    ...sessionListRoutes(parts),
    ...sessionRoutes(parts),
    ...codingSessionRoutes(parts),
    ...conversationRoutes(parts, live),
    ...mediaRoutes(parts),
    ...interruptRoutes(gateway),
    ...grantRoutes(gateway),
    ...policyRoutes(parts),
    ...pushRoutes(parts),
    ...chatRoutes(parts),
    ...nodeRoutes(parts),
    ...demonstrationRoutes(parts),
    ...credentialRoutes(parts),
    ...journalRoutes(parts),
    ...historyRoutes(gateway),
    ...doorRoutes(parts.doors ?? [], live, { cookies: parts.cookie !== undefined }),
    ...aboutRoutes(parts, () => {
      description ??= describeApi(routes, parts.version)
      return description
    }),
  ]

  const app = new Hono<HttpEnv>()
  app.onError((error, c) => answerProblem(c, toPublicError(error, report, `${c.req.method} ${c.req.path}`)))
  app.use(checkRequestSource(parts))
  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => route.run(c, gateway))
  }
  app.notFound(async (c) => {
    const file = await serveFile(parts, c)
    if (file !== undefined) return file
    await authenticate(gateway, c)
    throw nothingHere(routes, c)
  })
  return app
}

async function serveFile({ inbox, pages }: HttpParts, c: HttpContext): Promise<Response | undefined> {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return undefined
  const { pathname } = new URL(c.req.url)
  if (pages !== undefined && `${pathname}/` === pages.prefix) return c.redirect(pages.prefix, 308)
  const file = pathname.startsWith(pages?.prefix ?? '//')
    ? await pages?.files.serve(pathname.slice(pages.prefix.length - 1))
    : await inbox?.serve(pathname)
  if (file === undefined) return undefined
  if (c.req.header('if-none-match') === file.headers.etag) return c.body(null, 304, file.headers)
  return c.body(file.body, 200, file.headers)
}

function nothingHere(routes: readonly Route[], c: HttpContext): BanksmanError {
  const { method, path } = c.req
  const allow = routes.filter((route) => matches(route.path, path)).map((route) => route.method)
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path
  const meant = routes.find((route) => matches(route.path, path, 'with gaps'))
  if (allow.length === 0 && meant !== undefined) {
    const name = stepsOf(meant.path).find((step, index) => step !== '' && stepsOf(path)[index] === '')
    return new BanksmanError('unknown_route', `${name} is empty in ${shown}; write it like ${meant.path}`)
  }
  if (allow.length === 0) {
    return new BanksmanError(
      'unknown_route',
      `there is nothing at ${shown}; see /openapi.json for what there is`,
    )
  }
  return new BanksmanError('method_not_allowed', `${shown} takes ${allow.join(' or ')}, not ${method}`, {
    allow,
  })
}

/** A step that stands for anything is never empty, but where somebody left it out, that tells what they meant. */
function matches(pattern: string, path: string, how: 'whole' | 'with gaps' = 'whole'): boolean {
  const [wanted, found] = [stepsOf(pattern), stepsOf(path)]
  return (
    wanted.length === found.length &&
    wanted.every((step, index) =>
      step.startsWith('{') ? how === 'with gaps' || found[index] !== '' : step === found[index],
    )
  )
}

const stepsOf = (path: string): string[] => path.split('/')

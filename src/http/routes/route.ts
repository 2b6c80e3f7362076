/**
 * A route, as a value: from the same table the app is built and its description is written, so the two can't differ.
 * A route has an access; without one it does not compile, and all but the few public ones need a credential.
 */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { BanksmanError, type ErrorCode } from '../../core/errors.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { authenticate, type Caller, checkAccess, type RouteAccess } from '../access/authentication.ts'
import type { HttpContext } from '../connection/http-context.ts'
import { readShape } from '../from-wire/check-shape.ts'
import { readBody } from '../from-wire/read-body.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface RouteDescription {
  method: HttpMethod
  /** `{name}` stands for one step of the path. */
  path: string
  summary: string
  access: RouteAccess | 'public'
  /** A cookie is taken too, in place of a token. */
  byCookie?: boolean
  /** What a token may be good for that is good for nothing else. Everywhere else such a token is refused. */
  scope?: (step: (name: string) => string) => string
  query?: z.ZodObject
  body?: z.ZodType
  answers: readonly RouteAnswer[]
}

export interface RouteAnswer {
  status: number
  description: string
  /** Absent where there is nothing to say, or where it is no JSON. */
  schema?: z.ZodType
  mediaType?: string
}

export interface Route extends RouteDescription {
  run(c: HttpContext, gateway: Gateway): Promise<Response>
}

export interface RouteExchange<Query, Body> {
  c: HttpContext
  caller: Caller
  query: Query
  body: Body
  /** A step of the path that the route names. */
  step(name: string): string
}

/** A route by its method and path. */
type RouteName = `${HttpMethod} /${string}`

interface Definition<Query, Body, Caught>
  extends Pick<RouteDescription, 'summary' | 'byCookie' | 'scope' | 'answers'> {
  query?: z.ZodType<Query> & z.ZodObject
  body?: z.ZodType<Body>
  /** The code of a body that does not fit. */
  bodyCode?: ErrorCode
  /** What it gives goes as JSON with the status of `answers[0]`; nothing as 204, where `answers` has that; a response as it is. */
  answer(exchange: Caught): RouteResult | Promise<RouteResult>
}

type RouteResult = Response | object | undefined

export function route<Query = undefined, Body = undefined>(
  name: RouteName,
  definition: Definition<Query, Body, RouteExchange<Query, Body>> & { access: RouteAccess },
): Route {
  return {
    ...definition,
    ...methodAndPath(name),
    async run(c, gateway) {
      const caller = await authenticate(gateway, c, definition.scope?.(stepOf(c)))
      checkAccess(caller, definition.access, name)
      const answered = await definition.answer({ ...(await read(c, definition)), caller })
      return send(c, definition.answers, answered)
    },
  }
}

/** A route that takes no credential. There are few, and each says why. */
export function publicRoute<Query = undefined, Body = undefined>(
  name: RouteName,
  definition: Definition<Query, Body, Omit<RouteExchange<Query, Body>, 'caller'>>,
): Route {
  return {
    ...definition,
    ...methodAndPath(name),
    access: 'public',
    run: async (c) => send(c, definition.answers, await definition.answer(await read(c, definition))),
  }
}

export const json = (description: string, schema: z.ZodType, status = 200): RouteAnswer => ({
  status,
  description,
  schema,
})

export const noContent = (description: string): RouteAnswer => ({ status: 204, description })

function methodAndPath(name: RouteName): Pick<RouteDescription, 'method' | 'path'> {
  const [method, path] = name.split(' ') as [HttpMethod, string]
  return { method, path }
}

function send(c: HttpContext, answers: readonly RouteAnswer[], result: RouteResult): Response {
  if (result instanceof Response) return result
  if (result !== undefined) return c.json(result, answers[0]!.status as ContentfulStatusCode)
  if (answers.some(({ status }) => status === 204)) return c.body(null, 204)
  throw new BanksmanError('internal', `${c.req.path} gave no answer`)
}

async function read<Query, Body, Caught>(
  c: HttpContext,
  { query, body, bodyCode = 'invalid' }: Definition<Query, Body, Caught>,
): Promise<Omit<RouteExchange<Query, Body>, 'caller'>> {
  return {
    c,
    query: readQuery(c, query ?? NO_QUERY) as Query,
    body: (body === undefined ? undefined : await readBody(c, body, bodyCode)) as Body,
    step: stepOf(c),
  }
}

const stepOf = (c: HttpContext) => (name: string) => c.req.param(name) ?? ''

const NO_QUERY = z.strictObject({})

function readQuery<T>(c: HttpContext, schema: z.ZodType<T>): T {
  const values = Object.entries(c.req.queries())
  for (const [name, { length }] of values) {
    if (length > 1)
      throw new BanksmanError(
        'invalid',
        `${JSON.stringify(name.slice(0, 100))} is in the query ${length} times`,
      )
  }
  return readShape(
    schema,
    Object.fromEntries(values.map(([name, [value]]) => [name, value])),
    'invalid',
    'the query',
  )
}

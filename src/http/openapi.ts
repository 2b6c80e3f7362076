/** The description of the API (OpenAPI 3.1), written from the table of routes and the schemas they check with. */
import { z } from 'zod'
import { ERROR_STATUS } from '../core/errors.ts'
import * as answers from '../wire/answers.ts'
import * as callWire from '../wire/call.ts'
import { callBody } from '../wire/call.ts'
import { said, turnEntry, turnEvent } from '../wire/conversation.ts'
import * as explanationWire from '../wire/explanation.ts'
import * as grantWire from '../wire/grant.ts'
import * as holdWire from '../wire/hold.ts'
import * as identityWire from '../wire/identity.ts'
import { interrupt, resumeBody } from '../wire/interrupt.ts'
import * as journalWire from '../wire/journal.ts'
import * as requestWire from '../wire/request.ts'
import { decisionBody } from '../wire/request.ts'
import * as sessionWire from '../wire/session.ts'
import { CHAT_COOKIE } from './access/authentication.ts'
import type { RouteAnswer, RouteDescription } from './routes/route.ts'

/** These are referred to by name; all others stand where they are used. */
const NAMED = {
  Call: callBody,
  CallRecord: callWire.call,
  Chain: journalWire.chain,
  Credential: identityWire.credential,
  Decided: answers.decided,
  Decision: decisionBody,
  Event: answers.event,
  Grant: grantWire.grant,
  HeldOutcome: holdWire.heldOutcomeBody,
  Identity: identityWire.identity,
  Interrupt: interrupt,
  JournalEntry: journalWire.journalEntry,
  Problem: answers.problem,
  Request: requestWire.request,
  Resume: resumeBody,
  Review: callWire.review,
  Said: said,
  Session: sessionWire.session,
  Suggestion: grantWire.suggestion,
  Token: identityWire.token,
  TurnEntry: turnEntry,
  TurnEvent: turnEvent,
  Explanation: explanationWire.explanation,
  Replay: explanationWire.replay,
}

export function describeApi(routes: readonly RouteDescription[], version: string): object {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id })
  for (const [index, schema] of routes.flatMap(schemasOf).entries()) {
    if (!registry.has(schema)) registry.add(schema, { id: `${IN_PLACE}${index}` })
  }
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input' })
  const schemaOf = (schema: z.ZodType): object => {
    const { id } = registry.get(schema)!
    return id.startsWith(IN_PLACE) ? withoutOwnName(schemas[id]!) : { $ref: uri(id) }
  }

  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = describeRoute(route, schemaOf)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Banksman',
      version,
      description: `Errors are application/problem+json with one of these codes: ${Object.keys(ERROR_STATUS).join(', ')}.`,
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: CHAT_COOKIE },
      },
      schemas: Object.fromEntries(Object.keys(NAMED).map((id) => [id, withoutOwnName(schemas[id]!)])),
    },
  }
}

/** Marks what stands where it is used. No name begins so. */
const IN_PLACE = '_'

function schemasOf({ query, body, answers }: RouteDescription): z.ZodType[] {
  const queries = Object.values(query?.shape ?? {}) as z.ZodType[]
  return [...queries, body, ...answers.map(({ schema }) => schema)].filter((schema) => schema !== undefined)
}

function describeRoute(route: RouteDescription, schemaOf: (schema: z.ZodType) => object): object {
  const steps = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const queries = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodType),
  }))
  return {
    summary: route.summary,
    ...(route.access === 'public' ? { security: [] } : { 'x-access': route.access }),
    ...(route.byCookie === true ? { security: [{ token: [] }, { cookie: [] }] } : {}),
    ...(steps.length + queries.length === 0 ? {} : { parameters: [...steps, ...queries] }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: schemaOf(route.body) } } } }),
    responses: {
      ...Object.fromEntries(route.answers.map((answer) => [answer.status, describeAnswer(answer, schemaOf)])),
      default: {
        description: 'What was wrong, and what would be right.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function describeAnswer(
  { description, schema, mediaType }: RouteAnswer,
  schemaOf: (schema: z.ZodType) => object,
): object {
  if (schema === undefined && mediaType === undefined) return { description }
  const content = schema === undefined ? {} : { schema: schemaOf(schema) }
  return { description, content: { [mediaType ?? 'application/json']: content } }
}

function withoutOwnName(schema: object): object {
  const { $id: _, $schema: __, ...rest } = schema as { $id?: string; $schema?: string }
  return rest
}

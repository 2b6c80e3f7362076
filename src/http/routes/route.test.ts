import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { HttpEnv } from '../connection/http-context.ts'
import { json, noContent, publicRoute, type RouteAnswer } from './route.ts'

const schema = z.object({ a: z.number() })

async function answerOf(answers: RouteAnswer[], given: object | undefined) {
  const { method, path, run } = publicRoute('GET /x', { summary: '', answers, answer: () => given })
  const app = new Hono<HttpEnv>()
  app.onError((error, c) => c.json({ message: error.message }, 500))
  app.on(method, path, (c) => run(c, {} as Gateway))
  const response = await app.request('/x')
  return { status: response.status, text: await response.text() }
}

describe('what a route gives', () => {
  it('is sent as JSON with the status that the route describes first', async () => {
    expect(await answerOf([json('x', schema)], { a: 1 })).toEqual({ status: 200, text: '{"a":1}' })
    expect(await answerOf([json('x', schema, 201)], { a: 1 })).toEqual({ status: 201, text: '{"a":1}' })
  })

  it('is sent as it is where it is a response', async () => {
    const own = new Response('own', { status: 418 })
    expect(await answerOf([json('x', schema)], own)).toEqual({ status: 418, text: 'own' })
  })

  it('P5: is nothing only where the route describes that, and a fault elsewhere', async () => {
    expect(await answerOf([noContent('x')], undefined)).toEqual({ status: 204, text: '' })
    expect((await answerOf([json('x', schema), noContent('x')], undefined)).status).toBe(204)
    expect((await answerOf([json('x', schema)], undefined)).status).toBe(500)
  })
})

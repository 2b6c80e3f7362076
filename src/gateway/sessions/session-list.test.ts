import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import {
  agent,
  ana,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const list = (actor: Actor, query = {}) => setup.gateway.sessions(query, actor)
const ids = async (actor: Actor, query = {}) =>
  (await list(actor, query)).items.map(({ session }) => session.id)

async function begin(session: string, actor: Actor, ...texts: string[]): Promise<void> {
  for (const [at, text] of texts.entries()) {
    const turn: JsonValue = {
      kind: at === 0 ? 'begun' : 'steered',
      turn: 't1',
      at: 0,
      text,
      by: actor.subject,
    }
    await setup.gateway.turns.append({ session, at, turn, unfinished: false }, actor)
    await setup.clock.advance(10)
  }
}

const titleFor = async (actor: Actor, session: string) =>
  (await list(actor)).items.find((item) => item.session.id === session)?.title

describe('the list of sessions', () => {
  it('has the newest first, page by page, and only those of the reader where that is wanted', async () => {
    setup = await openTestGateway()
    await begin('z', ben, 'hello')
    await begin('a', ana, 'hello')
    await askedRequest(setup, { session: 'm' })
    expect(await ids(ben)).toEqual(['m', 'a', 'z'])
    expect(await ids(ben, { mine: true })).toEqual(['z'])
    expect(await ids(eve, { mine: true })).toEqual([])
    const first = await list(ana, { limit: 2 })
    await begin('newer', ana, 'hello')
    expect(await ids(ana, { limit: 2, cursor: first.cursor })).toEqual(['z'])
  })

  it('says when something last happened', async () => {
    setup = await openTestGateway()
    const began = setup.clock.now()
    await begin('talk', ben, 'one', 'two', 'three')
    await askedRequest(setup, { session: 'work' })
    const { items } = await list(ben)
    expect(items.map(({ lastAt }) => lastAt - began)).toEqual([30, 20])
  })

  it('P6: tells how a conversation began to those who may read it, and to nobody else', async () => {
    setup = await openTestGateway()
    await begin('talk', ben, 'Deploy the thing', 'now')
    expect(await titleFor(ben, 'talk')).toBe('Deploy the thing')
    expect(await titleFor(ana, 'talk')).toBe('Deploy the thing')
    const { items } = await list(eve)
    expect(items).toHaveLength(1)
    expect(items[0]).not.toHaveProperty('title')
    expect(JSON.stringify(items)).not.toContain('Deploy')
  })

  it('has a title of one line, in which nothing hides', async () => {
    setup = await openTestGateway()
    await begin('lines', ben, '  two\n\n  lines\tand a tab ')
    await begin('hidden', ben, 'a\u202eb\u200b')
    await begin('long', ben, '𝕏'.repeat(81))
    await begin('fits', ben, '𝕏'.repeat(80))
    await begin('huge', ben, ' '.repeat(5000))
    await begin('empty', ben, ' \n ')
    expect(await titleFor(ben, 'lines')).toBe('two lines and a tab')
    expect(await titleFor(ben, 'hidden')).toMatch(/U\+202E.*U\+200B/)
    expect(await titleFor(ben, 'long')).toBe(`${await titleFor(ben, 'fits')}…`)
    expect(await titleFor(ben, 'empty')).toBe(undefined)
    expect(await titleFor(ben, 'huge')).toBe(undefined)
  })

  it('has no title where the words were erased, or where the log is something else', async () => {
    setup = await openTestGateway()
    await begin('old', ben, 'erase me')
    for (const [index, turn] of [null, 'text', ['begun'], { kind: 'begun', text: 7 }].entries()) {
      await setup.gateway.turns.append({ session: `odd${index}`, at: 0, turn, unfinished: false }, ben)
    }
    await setup.clock.advance(10)
    await setup.gateway.history.eraseOlderThan(5)
    expect((await list(ben)).items.map(({ title }) => title)).toEqual(Array(5).fill(undefined))
  })

  it("P11: is not for an agent's credential, not even its own", async () => {
    setup = await openTestGateway()
    await askedRequest(setup)
    for (const query of [{}, { mine: true }]) {
      await expect(list(agent, query)).rejects.toMatchObject({ code: 'forbidden' })
    }
  })
})

/** Coding sessions from a chat, end to end, for any engine and any chat. */

import { toolResults } from '../../../src/agents/secretary/fixtures/acting-model.ts'
import type { Actor } from '../../../src/core/session.ts'
import type { SeenMessage } from '../../../src/testing/chat/chat-test.ts'
import type { Runner } from '../../../src/testing/runner.ts'
import type { SecretaryDriver } from '../secretary-driver.ts'
import type { ChatDriver } from './chat-drivers.ts'
import { type ChatWorld, type ChatWorldOptions, openChatWorld } from './chat-world.ts'

const bash = (command: string) => ({ tool: 'Bash', arguments: { command } })

const SCRIPT = {
  name: 'chats',
  scenes: [
    {
      when: 'touch',
      steps: [
        { say: 'I make the file.', calls: [bash('touch made.txt')] },
        { say: 'It is made: **done** https://evil.example.org/x' },
      ],
    },
    {
      when: 'both',
      steps: [{ calls: [bash('touch first.txt'), bash('touch second.txt')] }, { say: 'both were told' }],
    },
    { when: 'read', steps: [{ say: 'I read it.', calls: [bash('cat one')] }, { say: 'read' }] },
    { steps: [{ say: 'You said: {message}' }] },
  ],
}

const has =
  (...parts: string[]) =>
  ({ text }: SeenMessage) =>
    parts.every((part) => text.includes(part))

const ADMIN: Actor = { subject: 'ana', role: 'admin', via: 'test' }
const WORKING = ['running', 'waiting']

export function describeSecretaryChats(
  { describe, it, expect }: Runner,
  driver: SecretaryDriver,
  chat: ChatDriver,
): void {
  const test = (
    name: string,
    body: (world: ChatWorld) => Promise<void>,
    options: Partial<ChatWorldOptions> = {},
  ) =>
    it(name, async () => {
      const first = await openChatWorld(driver, chat, { script: SCRIPT, ...options })
      let last = first
      const following = (one: ChatWorld): ChatWorld => ({
        ...one,
        async restart() {
          last = await one.restart()
          return following(last)
        },
      })
      try {
        await body(following(first))
      } finally {
        await last.close()
      }
    })

  /** All of these are in the journal, and who decided came from the chat. */
  async function journaled(world: ChatWorld, types: readonly string[]): Promise<void> {
    await world.until(
      async () => {
        const written = (await world.journal()).map(({ type }) => type)
        return types.every((type) => written.includes(type))
      },
      `${types.join(', ')} in the journal`,
    )
    const decided = (await world.journal()).filter(({ type }) => type === 'request.decided')
    const ways = decided.map(({ body }) => (body.decision as { via?: string } | undefined)?.via ?? body.via)
    expect(ways.every((via) => via === world.standIn.service)).toBe(true)
  }

  describe(`coding sessions from ${chat.name} with ${driver.name}`, () => {
    test('secretary 17: a message starts a session, a card asks, a click approves, and its end is told; nothing else is', async (world) => {
      await world.write('//new shop touch the file')
      await world.see('the answer', has('⏳ Started', 'shop'))
      const card = await world.card('touch made.txt')
      expect(world.exists('made.txt')).toBe(false)
      expect(await world.click(card, 'Approve')).toBe('Approved.')
      const done = await world.see('the notice', has('✅ Done', '1 tool calls'))
      expect([world.exists('made.txt'), done.buttons.length, done.links]).toEqual([true, 0, []])
      expect(done.quoted).toEqual(['It is made: **done** https://evil.example.org/x'])
      await world.see('the card shows it', has('touch made.txt', 'ana approved'))
      expect(world.messages().length).toBe(3)
      await journaled(world, [
        'session.begun',
        'request.opened',
        'request.decided',
        'request.claimed',
        'request.reported',
        'session.turn_ended',
      ])
    })

    test('secretary 40: a reply with n rejects, and the session is told', async (world) => {
      await world.write('//new shop touch the file')
      const card = await world.card('touch made.txt')
      await world.write('n', { replyTo: card.message })
      await world.see('what it was taken for', has('Taken as an answer to Bash'))
      await world.see('the notice', has('✅ Done'))
      expect(world.exists('made.txt')).toBe(false)
      await journaled(world, ['request.decided'])
    })

    test('secretary 36: nobody answers in time: it is rejected, the chat is told, and the card says so', async (world) => {
      await world.write('//new shop touch the file')
      await world.card('touch made.txt')
      await world.timeOut()
      await world.see('the notice', has('⏰'))
      await world.until(
        () => world.cards().every(({ buttons }) => buttons.length === 0),
        'a card without buttons',
      )
      expect(world.exists('made.txt')).toBe(false)
      await journaled(world, ['request.expired'])
    })

    test('secretary 18, 50: //progress in the middle tells what waits, and disturbs nothing', async (world) => {
      await world.write('//new shop touch the file')
      const card = await world.card('touch made.txt')
      await world.write('//progress')
      const told = await world.see(
        'the progress',
        has('shop: waiting for approval', '1 call needs approval', '│ Bash(touch made.txt)'),
      )
      expect(told.text.includes('│ I make the file.')).toBe(true)
      expect(await world.click(card, 'Approve')).toBe('Approved.')
      await world.see('the notice', has('✅ Done'))
    })

    test('secretary 46, 50: //stop withdraws what waits, and its card says so', async (world) => {
      await world.write('//new shop touch the file')
      await world.card('touch made.txt')
      await world.write('//stop')
      await world.see('the answer', has('Stopped.'))
      await world.until(
        () => world.cards().every(({ buttons }) => buttons.length === 0),
        'a card without buttons',
      )
      // The program is still stopping when its card has changed.
      const states = async () => (await world.secretary.list({ all: true }, ADMIN)).map(({ state }) => state)
      await world.until(async () => !(await states()).some((state) => WORKING.includes(state)), 'the end')
      await world.write('//progress')
      await world.see('that nothing runs', has('shop:', 'interrupted'))
      expect([world.exists('made.txt'), world.messages().some(has('✅'))]).toEqual([false, false])
      await journaled(world, ['request.cancelled'])
    })

    test('secretary N4: two cards at once are answered crosswise, and each call gets its own answer', async (world) => {
      await world.write('//new shop both of them')
      const first = await world.card('touch first.txt')
      const second = await world.card('touch second.txt')
      await world.click(second, 'Approve')
      await world.click(first, 'Reject')
      await world.see('the notice', has('✅ Done'))
      expect([world.exists('first.txt'), world.exists('second.txt')]).toEqual([false, true])
    })

    test('P1 P7: after kill -9 the card still works, and the end of the turn is told', async (world) => {
      await world.write('//new shop touch the file')
      await world.card('touch made.txt')
      const again = await world.restart()
      await again.write('//list')
      await again.see('the session', has('1 session', 'shop (current)'))
      const card = await again.card('touch made.txt')
      await again.click(card, 'Approve')
      await again.see('the notice', has('✅ Done'))
      expect(again.exists('made.txt')).toBe(true)
    })

    test('secretary 8: talking from a group moves notices there, and cards stay where the session was started', async (world) => {
      const { group } = world.standIn
      await world.write('//new shop')
      await world.see('the answer', has('is ready'))
      await world.write('//switch shop', { chat: group })
      await world.see('the answer', has('go to the session in shop'), { chat: group })
      await world.write('//direct', { chat: group })
      const [session] = await world.secretary.list({}, { subject: 'ana', role: 'approver', via: 'test' })
      const origin = { channel: world.standIn.service, conversation: group }
      await world.secretary.send(
        session!.id,
        { text: 'touch it', origin },
        { subject: 'ana', role: 'approver', via: 'test' },
      )
      const card = await world.card('touch made.txt')
      await world.click(card, 'Approve')
      await world.see('the notice in the group', has('✅ Done'), { chat: group })
      expect([world.cards({ chat: group }), world.messages().some(has('✅ Done'))]).toEqual([[], false])
    })

    test('a session that was started in a group asks and tells in the group', async (world) => {
      const { group } = world.standIn
      await world.write('//new shop touch the file', { chat: group })
      const card = await world.card('touch made.txt', { chat: group })
      await world.click(card, 'Approve')
      await world.see('the notice', has('✅ Done'), { chat: group })
      expect(world.messages()).toEqual([])
    })

    test('P11: a mode that asks less takes a click: no text sets it, and then edits are no longer asked about', async (world) => {
      await world.write('//new shop')
      await world.write('//mode bypass')
      await world.see('the answer', has('confirm it on the card first'))
      const card = await world.card('set_session_mode')
      await world.write('y', { replyTo: card.message })
      await world.see('that no text does', has("can't be approved by text"))
      const mode = async () =>
        (await world.secretary.list({}, { subject: 'ana', role: 'approver', via: 'test' }))[0]!.mode
      expect(await mode()).toBe('default')
      expect(await world.click(card, 'Approve')).toBe('Approved.')
      await world.until(async () => (await mode()) === 'bypass', 'the mode')
      await journaled(world, ['request.decided', 'session.mode'])
      await world.write('touch it')
      await world.see('the notice', has('✅ Done'))
      expect(world.exists('made.txt')).toBe(true)
    })

    test('P6: strangers are told once, and others find no session of somebody else', async (world) => {
      await world.write('//new shop touch the file')
      await world.card('touch made.txt')
      for (const text of ['//list', '//stop', 'hello']) await world.write(text, { by: 'stranger' })
      await world.write('//list', { by: 'ben' })
      await world.see('nothing', has('You have no open session'), 'ben')
      await world.write('//stop shop', { by: 'ben' })
      await world.see('nothing', has('You have no session “shop”'), 'ben')
      expect([world.messages('stranger').length, world.cards('ben')]).toEqual([1, []])
      expect(
        (await world.secretary.list({}, { subject: 'ana', role: 'approver', via: 'test' }))[0]!.state,
      ).toBe('waiting')
    })

    test(
      'smart: the secretary answers how far it is from what it sees, and starts what the person says in their words',
      async (world) => {
        await world.write('please touch the file in shop')
        const card = await world.card('touch made.txt')
        await world.see('its words', has('💬 Secretary', 'It runs.'))
        await world.write('how far is it?')
        const told = await world.see('how far it is', has('💬 Secretary', 'It waits for you.'))
        expect(told.quoted).toEqual(['It waits for you.'])
        await world.click(card, 'Approve')
        await world.see('the notice', has('✅ Done'))
        expect(world.exists('made.txt')).toBe(true)
      },
      {
        secretary(request) {
          const results = toolResults(request)
          const words = request.messages.findLast(({ role }) => role === 'user')
          const isQuestion = words?.role === 'user' && words.text.includes('how far')
          if (results.length > 0) {
            const isWaiting = results.at(-1)!.text.includes('"state":"waiting"')
            return { say: isQuestion ? (isWaiting ? 'It waits for you.' : 'I cannot tell.') : 'It runs.' }
          }
          return isQuestion
            ? { calls: [{ tool: 'look_into_coding_session', arguments: { session: 'run-0-session1' } }] }
            : {
                calls: [
                  { tool: 'start_coding_session', arguments: { folder: 'shop', text: 'touch the file' } },
                ],
              }
        },
      },
    )

    test(
      'P7: what the secretary says while the server is away is told after the start',
      async (world) => {
        await world.write('start something in docs')
        const card = await world.card('start_coding_session')
        const again = await world.restart()
        await again.click(card, 'Reject')
        await again.see('its words', has('💬 Secretary', 'Then not.'))
      },
      {
        secretary: (request) =>
          toolResults(request).length > 0
            ? { say: 'Then not.' }
            : {
                calls: [
                  { tool: 'start_coding_session', arguments: { folder: 'docs', text: 'words of my own' } },
                ],
              },
      },
    )
  })
}

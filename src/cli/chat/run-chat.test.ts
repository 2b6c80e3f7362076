/** A chat at a real terminal, with a real server and its agent: what the pure tests can't see. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, login } from '../../client/index.ts'
import { makeCliFolder, type StartedServer } from '../fixtures/program.ts'
import { openSession, type Session, WITHOUT_TERMINAL } from '../fixtures/pseudo-terminal.ts'
import { configureScriptedAgent } from '../fixtures/scripted-agent.ts'

if (WITHOUT_TERMINAL !== undefined) console.warn(`SKIPPED: the chat at a terminal: ${WITHOUT_TERMINAL}`)

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
/** Takes away what is left of keys that were typed again and again. */
const ERASE = '\u0015'

describe.skipIf(WITHOUT_TERMINAL !== undefined && process.env.CI !== 'true')('chat at a terminal', () => {
  const place = makeCliFolder()
  let server: StartedServer
  let ana: Client
  const file = (name: string) => join(place.folder, 'work', name)
  const say = (session: Session, text: string) => session.type(`${ERASE}${text}\r`)
  const chat = (name: string, environment: Record<string, string> = {}) =>
    openSession(place, ['chat', '--session', name], { NO_COLOR: '1', ...environment })
  const pending = async (name: string) => (await ana.list({ session: name })).items

  beforeAll(async () => {
    await configureScriptedAgent(place)
    server = await place.start()
    const code = new URL(server.loginLink).hash.replace('#login=', '')
    ana = createClient({ url: server.url, token: (await login({ url: server.url, code })).key })
  })
  afterAll(() => place.remove())

  it('P3: shows the whole call, approves it, rejects with a reason that the agent reads, and says how to come back', async () => {
    const session = chat('basics')
    await session.see('Talking to the agent as ana, in the new conversation basics.')
    say(session, 'write something')
    await session.see('I write a file.')
    await session.see('Tool: write_file')
    await session.see('path: note.txt')
    await session.see('Why: ')
    await session.see('Rules: ')
    await session.typeUntil('y', '✓ Approved.')
    await session.see('→ write_file: note.txt')
    await session.see('✓ write_file: note.txt')
    await session.see('Done: made note.txt')
    expect(readFileSync(file('note.txt'), 'utf8')).toBe('hello')

    say(session, 'edit something')
    await session.see('edited.txt')
    await session.typeUntil('n', 'Reason, which the agent reads')
    session.type(`${ERASE}use staging\r`)
    await session.see('✓ Rejected.')
    await session.see('✗ write_file: edited.txt')
    await session.see('Not done: ana rejected it: use staging')
    session.type(ERASE + CTRL_D)
    await session.see('Come back with: banksman chat --session basics')
    expect(await session.end()).toBe(0)
  })

  it('P3: an edit in $EDITOR is shown as a difference, and runs as edited', async () => {
    const editor = join(place.folder, 'editor.sh')
    writeFileSync(editor, 'sed -i s/hello/goodbye/ "$1"\n')
    const session = chat('editing', { EDITOR: `sh ${editor}` })
    await session.see('/help')
    say(session, 'edit it')
    await session.see('edited.txt')
    await session.typeUntil('e', 'Approve the call with these arguments?')
    expect(session.screen()).toContain('"content": "goodbye"')
    await session.typeUntil('y', '✓ Approved with your changes.')
    await session.see('Done: made edited.txt')
    expect(readFileSync(file('edited.txt'), 'utf8')).toBe('goodbye')
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
  })

  it('a remembered approval is chosen by number, and the same call is not asked again', async () => {
    const session = chat('always')
    await session.see('/help')
    say(session, 'write it')
    await session.see('[y] approve')
    await session.typeUntil('a', 'in this session: exactly this call')
    await session.see('Which?')
    await session.typeUntil(`${ERASE}1 1h\r`, '✓ Approved.')
    await session.see('Done: ')
    say(session, 'write it again')
    await session.see('Done: ')
    expect(session.screen().match(/Tool: write_file/g)).toHaveLength(1)
    expect((await ana.grants()).items.map(({ scope }) => scope)).toContain('session')
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
  })

  it('a high-risk call needs the word, and a person can answer in its place', async () => {
    const session = chat('grave')
    await session.see('/help')
    say(session, 'do the grave thing')
    await session.see('high risk')
    await session.typeUntil('y', 'Type yes to approve')
    session.type(`${ERASE}y\r`)
    await session.see('Not approved.')
    expect(await pending('grave')).toHaveLength(1)
    await session.typeUntil('r', 'Your response, which the agent gets')
    session.type(`${ERASE}it is a teapot\r`)
    await session.see('ana answered instead of the tool')
    await session.see('Done: it is a teapot')
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
  })

  it('two at once are shown whole before all are approved, with a result each', async () => {
    const session = chat('two')
    await session.see('/help')
    say(session, 'two files')
    await session.see('(+1) [y] approve')
    await session.typeUntil('A', 'Approve all 2 of them?')
    for (const name of ['first.txt', 'second.txt']) expect(session.screen()).toContain(`path: ${name}`)
    await session.typeUntil('y', 'Approved.')
    await session.see('Both are told.')
    expect([existsSync(file('first.txt')), existsSync(file('second.txt'))]).toEqual([true, true])
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
  })

  it('P2: answered elsewhere while it is on the screen is said at once', async () => {
    const session = chat('elsewhere')
    await session.see('/help')
    say(session, 'write it')
    await session.see('[y] approve')
    const [request] = await pending('elsewhere')
    await ana.decide(request!.id, { decision: 'reject', digest: request!.digest, reason: 'not today' })
    await session.see('This request no longer needs you: rejected (ana)')
    await session.see('Not done: ana rejected it: not today')
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
  })

  it('keys that were typed before a call was shown are no answer to it', async () => {
    const session = chat('ahead')
    await session.see('/help')
    session.type('write it\ryyyyyyyyyy')
    await session.see('[y] approve')
    const [request] = await pending('ahead')
    expect(request?.state).toBe('pending')
    // Pasted letters decide nothing either, however late they come.
    session.type('\u001b[200~y\ny\n\u001b[201~')
    await session.see('Several keys at once are not an answer; press one key.')
    session.type('yes please do\r')
    await session.see('Several keys at once are not an answer; press one key.')
    expect((await ana.get(request!.id)).state).toBe('pending')
    await session.typeUntil('w', '"path": "note.txt"')
    expect((await ana.get(request!.id)).state).toBe('pending')
    await session.typeUntil('t', 'This ends the session')
    session.type(`${ERASE}enough\r`)
    await session.see('✓ Session ended.')
    await session.see('This conversation has ended')
    expect(await session.end()).toBe(0)
    expect((await place.run(['chat', '--session', 'ahead', '--once', 'hi'])).stderr).toContain(
      'was ended by ana',
    )
  })

  it('P9: nothing that an agent says or wants to run controls the terminal', async () => {
    const session = chat('hostile')
    await session.see('/help')
    say(session, 'hostile')
    await session.see('Look ⟨ESC⟩[2J')
    await session.see('content:')
    await session.see('evil ⟨ESC⟩[2J')
    await session.see('[y] approve')
    await session.typeUntil('y', '✓ Approved.')
    await session.see('Over ⟨ESC⟩[2J')
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
    const ours = session.screen().replaceAll(/\u001b\[(?:2K|1A|\?2004[hl])/g, '')
    expect(ours).not.toMatch(/[\u001b\u0007\u202e\u200b]/)
  })

  it('questions are a small form: numbers for options, and free words', async () => {
    const session = chat('question')
    await session.see('/help')
    say(session, 'question')
    await session.see('Which colour?')
    await session.see('2) green')
    await session.see('Your answer')
    await session.typeUntil(`${ERASE}2\r`, 'Question 2 of 2')
    session.type(`${ERASE}grass\r`)
    await session.see('✓ Answered.')
    await session.see('You chose: ')
    expect(session.screen()).toContain('green')
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
  })

  it('Ctrl-C interrupts, then stops at once; at the empty line it leaves', async () => {
    const session = chat('interrupted')
    await session.see('/help')
    say(session, 'think long')
    await session.see('[y] approve')
    await session.typeUntil('y', '✓ Approved.')
    await session.see('✓ write_file: long.txt')
    session.type(CTRL_C)
    await session.see('Interrupting: running calls may finish.')
    await session.see('ana interrupted the turn.')
    session.type(CTRL_C)
    await session.see('Stopping at once.')
    await session.see('Turn ended: interrupted')
    session.type(ERASE + CTRL_C)
    expect(await session.end()).toBe(0)
  })

  it('P7: leaving cancels nothing; who comes back sees what waits, steers, skips, and finds it again', async () => {
    const session = chat('later')
    await session.see('/help')
    say(session, 'write it')
    await session.see('[y] approve')
    session.type(CTRL_D)
    await session.see('The agent continues, and waits')
    expect(await session.end()).toBe(0)
    expect(await pending('later')).toHaveLength(1)

    const again = chat('later', { LANG: 'zh_CN.UTF-8' })
    await again.see('会话 later')
    await again.see('上次到这里')
    await again.see('› write it')
    await again.see('[y] 批准')
    await again.typeUntil('s', '已跳过')
    await again.see('1 个待处理')
    say(again, 'one more thing')
    await again.see('› one more thing')
    // Nothing of it is shown again by itself, and all of it when it is asked for.
    say(again, '/pending')
    await again.see('[y] 批准')
    await again.typeUntil('y', '已批准')
    await again.see('Done: ')
    again.type(ERASE + CTRL_D)
    expect(await again.end()).toBe(0)
  })

  it('goes on after the server was restarted, and tells nothing twice', async () => {
    const session = chat('restarted')
    await session.see('/help')
    say(session, 'write it')
    await session.see('[y] approve')
    const { port } = new URL(server.url)
    await server.stop()
    await session.see('Connection lost')
    server = await place.start(['--port', port])
    await session.see('Connected again')
    await session.typeUntil('y', '✓ Approved.')
    await session.see('Done: ')
    expect(session.screen().match(/^› write it/gm)).toHaveLength(1)
    say(session, 'hello')
    await session.see('You said: hello')
    session.type(ERASE + CTRL_D)
    expect(await session.end()).toBe(0)
  })
})

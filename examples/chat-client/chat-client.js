/**
 * A chat with the agent over a plain WebSocket, in a terminal. What it says is shown as it comes; when a call
 * needs approval, you see it and approve or reject it.
 *
 *   banksman login                                   prints a link that works once
 *   node chat-client.js --login 'http://127.0.0.1:4790/#login=…'
 *
 * With BANKSMAN_TOKEN set, `--url http://127.0.0.1:4790` is enough. `--check` starts a server of its own with a scripted
 * model, holds a conversation with it and checks that it went as it should.
 *
 * The server needs `pet: {}` in its banksman.yaml. The frames are those of docs/protocol.md.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { login } from 'banksman/client'

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    login: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:4790' },
    session: { type: 'string', default: 'chat-client' },
  },
})

if (values.check) await check()
else await chatAtTheTerminal()

/**
 * The whole protocol: `chat` goes out; `ai_chat` comes in pieces until one is final; `tool_approval` is answered by
 * `tool_approval_response`, which is acknowledged.
 */
function talk({ url, token, session }, on) {
  // A browser or Node can't send a header with a WebSocket: the token is offered as a subprotocol, beside the one we speak.
  const address = `${url.replace(/^http/, 'ws')}/pet/ws?sessionId=${encodeURIComponent(session)}`
  const socket = new WebSocket(address, ['pet', `token.${token}`])
  const send = (action, data) => socket.send(JSON.stringify({ action, data }))
  socket.addEventListener('message', async ({ data: text }) => {
    const { push_type: push, data, status, error } = JSON.parse(text)
    if (push === 'init_status') on.ready?.()
    if (push === 'ai_chat' && data.type === 'text') on.text(data.text)
    if (push === 'ai_chat' && data.type === 'tool') on.tool(data)
    if (push === 'ai_chat' && data.type === 'final') on.final(data)
    if (push === 'error') on.notice(`${data.level}: ${data.message}`)
    if (push === 'tool_approval_resolved') on.notice(`${data.tool}: ${data.state} ${data.by ?? ''}`)
    if (push === 'tool_approval') {
      const { approved, reason } = await on.approval(data)
      send('tool_approval_response', { request_id: data.request_id, approved, reason })
    }
    if (status === 'error') on.notice(error)
  })
  socket.addEventListener('close', ({ code, reason }) => on.closed?.(code, reason))
  return {
    say: (words) => send('chat', { text: words }),
    interrupt: () => send('interrupt', { kind: 'hard' }),
    close: () => socket.close(),
  }
}

async function chatAtTheTerminal() {
  const [url, code] = values.login === undefined ? [values.url] : values.login.split('/#login=')
  const token = code === undefined ? process.env.BANKSMAN_TOKEN : (await login({ url, code })).key
  if (!token)
    throw new Error('log in first: pass --login with a link from `banksman login`, or set BANKSMAN_TOKEN')
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
  let asking = Promise.resolve()
  const conversation = talk(
    { url, token, session: values.session },
    {
      ready: () => terminal.prompt(),
      text: (words) => process.stdout.write(words),
      tool: ({ tool, phase }) => console.log(`\n[${tool}: ${phase}]`),
      final: () => {
        process.stdout.write('\n')
        terminal.prompt()
      },
      notice: (words) => console.log(`\n[${words}]`),
      // One question at a time, also where the agent wants several things at once.
      approval(call) {
        const answer = asking.then(() => askPerson(terminal, call))
        asking = answer.catch(() => {})
        return answer
      },
      closed(closeCode, reason) {
        console.log(`\nConnection closed: ${closeCode} ${reason}`)
        terminal.close()
      },
    },
  )
  terminal.on('line', (line) => line.trim() !== '' && conversation.say(line))
  terminal.on('SIGINT', () => conversation.interrupt())
  await once(terminal, 'close')
  conversation.close()
}

async function askPerson(terminal, { tool, arguments: args, because }) {
  console.log(`\nThe agent wants to run ${tool}:\n${JSON.stringify(args, null, 2)}\n(${because})`)
  const answer = (await terminal.question('Approve? [y/N] ')).trim().toLowerCase()
  if (answer === 'y') return { approved: true }
  return { approved: false, reason: await terminal.question('Reason: ') }
}

async function check() {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-chat-client-'))
  const server = await startServer(folder)
  try {
    const { key: token } = await login({ url: server.url, code: server.loginLink.split('#login=')[1] })
    for (const answer of [{ approved: true }, { approved: false, reason: 'not today' }]) {
      await converse(server.url, token, folder, answer)
    }
    console.log('chat-client: as it should be')
  } finally {
    server.child.kill()
    await once(server.child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One conversation, in which the one call is answered so. */
async function converse(url, token, folder, answer) {
  const file = join(folder, 'workspace', 'weather.txt')
  const seen = { text: '', phases: [], asked: [] }
  const end = await new Promise((resolve, reject) => {
    const conversation = talk(
      { url, token, session: `check-${answer.approved}` },
      {
        ready: () => conversation.say('How is the weather?'),
        text: (words) => {
          seen.text += words
        },
        tool: ({ phase }) => seen.phases.push(phase),
        final: (data) => {
          conversation.close()
          resolve(data)
        },
        notice: (words) => reject(new Error(words)),
        approval: async ({ tool, arguments: args }) => {
          assert.equal(existsSync(file), false, 'nothing has run before it was approved')
          seen.asked.push([tool, args])
          return answer
        },
        closed: (code, reason) => reject(new Error(`closed: ${code} ${reason}`)),
      },
    )
  })
  console.log(`agent (${answer.approved ? 'approved' : 'rejected'}): ${seen.text}`)
  assert.equal(end.status, 'completed')
  assert.deepEqual(seen.asked, [['write_file', { path: 'weather.txt', content: 'sunny' }]])
  assert.deepEqual(seen.phases, answer.approved ? ['start', 'end'] : ['refused'])
  assert.match(seen.text, answer.approved ? /It is sunny\./ : /Then not\./)
  if (answer.approved) assert.equal(readFileSync(file, 'utf8'), 'sunny')
  rmSync(file, { force: true })
}

/** A server in a folder of its own, with a model that says what is written here. */
async function startServer(folder) {
  mkdirSync(join(folder, 'workspace'))
  const steps = [
    { calls: [{ tool: 'write_file', arguments: { path: 'weather.txt', content: 'sunny' } }] },
    { oneOf: [{ when: { result: 'refused' }, say: 'Then not.' }, { say: 'It is sunny.' }] },
  ]
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ scenes: [{ steps }] }))
  writeFileSync(
    join(folder, 'banksman.yaml'),
    'agent: { model: { provider: scripted, script: script.json }, workspace: workspace }\npet: {}\n',
  )
  const program = join(
    dirname(fileURLToPath(import.meta.resolve('banksman/package.json'))),
    'bin',
    'banksman.js',
  )
  const options = {
    cwd: folder,
    env: { ...process.env, BANKSMAN_HOME: join(folder, 'home'), BANKSMAN_DATA: join(folder, 'data') },
  }
  const trusted = spawnSync(process.execPath, [program, 'trust', '--yes'], options)
  assert.equal(trusted.status, 0, String(trusted.stderr))
  const child = spawn(process.execPath, [program, 'start', '--port', '0', '--json', '--login-link'], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, ...JSON.parse(line) }
}

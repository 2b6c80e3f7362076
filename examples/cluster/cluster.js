/**
 * Three servers on one Postgres. An agent asks at the first, a person answers at the second, and somebody who watches at the
 * third sees it all. Then the first is killed while a request waits, and the agent goes on at the second.
 *
 *     npm run build:package      first, in the root of a clone: the example uses the built package
 *     node cluster.js            see it happen
 *     node cluster.js --check    what the tests run
 *
 * The Postgres is started here, on loopback, and removed again. Without one, the example is skipped.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNode } from './node.js'
import { findPostgres, startPostgres } from './postgres.js'

const { createClient, login } = await import('banksman/client').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('cluster: the package is not built yet; run `npm run build:package` in the root of the clone')
  process.exit(1)
})

const isCheck = process.argv.includes('--check')
const say = (line) => {
  if (!isCheck) console.log(line)
}
const WITHIN_MS = 30_000

const programs = findPostgres()
if (programs === undefined) {
  console.log(
    'cluster: skipped: no Postgres was found; install it, or name the folder of initdb in POSTGRES_BIN',
  )
  process.exit(process.env.CI === 'true' ? 1 : 0)
}

const home = mkdtempSync(join(tmpdir(), 'banksman-example-cluster-'))
const postgres = await startPostgres(programs)
const nodes = []
try {
  for (const name of ['node-1', 'node-2', 'node-3'])
    nodes.push(await startNode({ name, home, store: postgres.url }))
  await show(...nodes)
  console.log('cluster: as it should be')
} finally {
  for (const node of nodes) await node.end()
  await postgres.stop()
  rmSync(home, { recursive: true, force: true })
}

async function show(first, second, third) {
  // A token and a login are in the store: they hold at every node, wherever they were made.
  const agentAt = (node) => createClient({ url: node.url, token: first.agentToken })
  const { key } = await login({ url: third.url, code: first.code })
  const anaAt = (node) => createClient({ url: node.url, token: key })

  const { items } = await anaAt(second).nodes()
  assert.deepEqual(items.map(({ url }) => url).sort(), nodes.map(({ url }) => url).sort())
  say(`three servers on one store: ${items.map(({ url }) => url).join(', ')}`)

  const watching = new AbortController()
  const seen = []
  const watched = watch(anaAt(third), watching.signal, seen)
  await until('the watcher is connected', () => seen.includes('reset'))

  // Asked at the first, answered at the second: whoever waits at the first wakes.
  const asked = agentAt(first).submit(callOf('mail-1'), { holdMs: WITHIN_MS })
  const pending = await waiting(anaAt(second), 'mail-1')
  const sees = (state) => until(`the watcher sees it ${state}`, () => seen.includes(`${pending.id} ${state}`))
  await sees('pending')
  await anaAt(second).decide(pending.id, { decision: 'approve', digest: pending.digest })
  const { request } = await asked
  assert.equal(request.state, 'approved')
  assert.equal(request.decision.by, 'ana')
  await sees('approved')
  say(`asked at ${first.name}, approved at ${second.name}: the agent at ${first.name} was told`)

  // Claimed at the third and reported at the second: it runs once, wherever.
  const { claimId } = await agentAt(third).claim(request.id, { digest: request.digest, key: 'runner' })
  await assert.rejects(
    agentAt(second).claim(request.id, { digest: request.digest, key: 'another runner' }),
    (error) => error.code === 'already_claimed',
  )
  await sees('running')
  await agentAt(second).report(request.id, { claimId, outcome: 'ok', summary: 'sent' })
  await sees('done')
  say(`${third.name} saw it all, and nobody could run it twice`)

  // The first is killed while a request waits. Nothing is lost but the connection.
  const { request: waitingOne } = await agentAt(first).submit(callOf('mail-2'))
  const cut = agentAt(first).get(waitingOne.id, { holdMs: WITHIN_MS })
  const lost = assert.rejects(cut)
  await first.end('SIGKILL')
  await lost
  const goesOn = agentAt(second).get(waitingOne.id, { holdMs: WITHIN_MS })
  await anaAt(third).decide(waitingOne.id, { decision: 'approve', digest: waitingOne.digest })
  assert.equal((await goesOn).state, 'approved')
  // Whoever has lost the id makes the same call again, and is given the same request.
  const again = await agentAt(second).submit(callOf('mail-2'))
  assert.deepEqual([again.repeated, again.request.id], [true, waitingOne.id])
  const claim = await agentAt(second).claim(waitingOne.id, { digest: waitingOne.digest, key: 'runner' })
  assert.deepEqual(claim.arguments, callOf('mail-2').arguments)
  await agentAt(third).report(waitingOne.id, { claimId: claim.claimId, outcome: 'ok', summary: 'sent' })
  say(`${first.name} was killed, and the agent went on at ${second.name} with ${waitingOne.id}`)

  watching.abort()
  await watched
  const report = await anaAt(second).verifyJournal()
  assert.deepEqual([report.ok, report.problems], [true, []])
  say(`the journal of all three verifies: ${report.entries} entries in ${report.chains.length} chains`)
}

function callOf(callId) {
  return {
    tool: 'send_mail',
    arguments: { to: 'ada@example.com', about: callId },
    callId,
    session: 'cluster',
  }
}

async function watch(client, signal, seen) {
  try {
    for await (const event of client.events({ signal })) {
      if (event.type === 'reset') seen.push('reset')
      if (event.type === 'request') seen.push(`${event.request.id} ${event.request.state}`)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function waiting(client, callId) {
  let found
  await until(`${callId} is waiting`, async () => {
    const { items } = await client.list({ state: 'pending' })
    found = items.find((request) => request.callId === callId)
    return found !== undefined
  })
  return found
}

async function until(what, isSo) {
  const end = Date.now() + WITHIN_MS
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`timed out: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

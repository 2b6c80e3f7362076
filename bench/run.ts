/** `npm run bench -- [approvals|allowed|pending|http|listeners|thread|matchers|policy|hooks|connect|mcp|pet|chat|flood|inbox|stores|start|far|adapters|sizes|secretary …] [--rounds 5] [--json]` */
import { parseArgs } from 'node:util'
import { benchAdapterSizes } from './adapter-sizes.ts'
import { benchAdapters } from './adapters.ts'
import { benchSecretary } from './agents/secretary.ts'
import { benchChat } from './chats/chat.ts'
import { benchFlood } from './chats/flood.ts'
import { benchPet } from './chats/pet.ts'
import { benchAllowed } from './gateway/allowed.ts'
import { benchApprovals } from './gateway/approvals.ts'
import { benchPending } from './gateway/pending.ts'
import { benchThread } from './gateway/thread.ts'
import { benchConnect } from './hooks/connect.ts'
import { benchHooks } from './hooks/hooks.ts'
import { benchFar } from './http/far.ts'
import { benchHttp } from './http/http.ts'
import { benchInbox } from './http/inbox.ts'
import { benchListeners } from './http/listeners.ts'
import { benchMcp } from './mcp/mcp.ts'
import type { Figure } from './measure.ts'
import { benchMatchers } from './policy/matchers.ts'
import { benchPolicy } from './policy/policy.ts'
import { machine, printFigures, printMachine } from './report.ts'
import { benchStart } from './start.ts'
import { benchStores } from './stores/index.ts'

const BENCHES: Record<string, (rounds: number) => Promise<Figure[]>> = {
  approvals: benchApprovals,
  allowed: benchAllowed,
  pending: benchPending,
  http: benchHttp,
  listeners: benchListeners,
  thread: benchThread,
  matchers: benchMatchers,
  policy: benchPolicy,
  hooks: benchHooks,
  connect: benchConnect,
  mcp: benchMcp,
  pet: benchPet,
  chat: benchChat,
  flood: benchFlood,
  inbox: benchInbox,
  stores: benchStores,
  start: benchStart,
  far: benchFar,
  adapters: benchAdapters,
  sizes: benchAdapterSizes,
  secretary: benchSecretary,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, rounds: { type: 'string', default: '5' } },
})
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES)
const results: Record<string, Figure[]> = {}
for (const name of names) {
  const bench = BENCHES[name]
  if (bench === undefined) {
    console.error(
      `there is no benchmark ${JSON.stringify(name)}; there are ${Object.keys(BENCHES).join(', ')}`,
    )
    process.exit(2)
  }
  results[name] = await bench(Number(values.rounds))
  if (!values.json) printFigures(name, results[name])
}
if (values.json) console.log(JSON.stringify({ machine, results }, null, 2))
else printMachine(Number(values.rounds))

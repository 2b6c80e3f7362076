/** A process that is killed on the very line after `guard`. Arguments: database, presented file. */
import { agent, openChildGateway, person, tell } from './child-gateway.ts'

const [path = '', presentedFile = ''] = process.argv.slice(2)
const { gateway } = await openChildGateway({ path, presentedFile })
const call = { tool: 'write', arguments: { line: 1 }, callId: 'c1', session: 's1' }
const { request } = await gateway.review(call, agent)
const running = gateway.guard(call, () => 'written')
await gateway.decide(request!.id, { decision: 'approve', digest: request!.digest }, person('ana'))
const result = await running
tell({ opened: request!.id, digest: request!.digest, result: result.kind })
process.kill(process.pid, 'SIGKILL')

/** What the child processes of the crash tests share: a gateway on the given file, and how they speak to the parent. */
import { appendFileSync, writeSync } from 'node:fs'
import type { Actor } from '../../src/core/session.ts'
import type { AskTerms } from '../../src/core/verdict.ts'
import { policyFrom } from '../../src/gateway/fixtures/test-gateway.ts'
import type { Gateway } from '../../src/gateway/gateway-verbs.ts'
import type { Channel } from '../../src/people/channel.ts'
import { composeGateway } from '../../src/server/composition/compose-gateway.ts'
import { openStore } from '../../src/server/stores/open-store.ts'
import { readStorePlace } from '../../src/server/stores/store-place.ts'
import type { Store } from '../../src/stores/store.ts'

export const agent: Actor = { subject: 'agent', role: 'agent', via: 'test' }

export function person(subject: string): Actor {
  return { subject, role: 'approver', via: 'test' }
}

export interface ChildOptions {
  /** A file, or the address of a store: `postgres://…`. */
  path: string
  quorum?: number
  /** Where the channel writes down what it presented. */
  presentedFile?: string
}

export async function openChildGateway(options: ChildOptions): Promise<{ gateway: Gateway; store: Store }> {
  const { path } = options
  const store = await openStore(readStorePlace(path.includes('://') ? path : `sqlite:${path}`, '.'))
  const terms: AskTerms = {
    conditions: [{ rule: 'crash test', approvers: ['group:staff'], quorum: options.quorum ?? 1 }],
    allowedDecisions: ['approve', 'edit', 'reject', 'respond', 'terminate'],
    scopes: ['once'],
    severity: 'normal',
  }
  const policy = policyFrom(() => ({ kind: 'ask', because: 'a crash test asks', terms }))
  const staff = ['ana', 'ben', 'cleo', 'dan', 'eve'].map((name) => [name, { groups: ['staff'] }] as const)
  const gateway = await composeGateway({
    store,
    policy: { current: () => policy },
    directory: { current: () => ({ owner: 'ana', people: new Map(staff) }) },
    channels: [chat(options.presentedFile)],
    self: agent,
    report: () => {},
  })
  return { gateway, store }
}

/** Straight into the pipe: it is with the parent even if this process dies in the next instant. */
export function tell(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`)
}

function chat(presentedFile: string | undefined): Channel {
  return {
    name: 'chat',
    kind: 'durable',
    serves: () => true,
    async present({ request }) {
      if (presentedFile !== undefined) appendFileSync(presentedFile, `${request.id}\n`)
      return undefined
    },
    async update() {
      return undefined
    },
  }
}

/** Several real servers on one store, each with a data folder, a port and a line to the store of its own. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM_WORDS } from '../../src/cli/fixtures/program.ts'
import { type Client, createClient, login } from '../../src/client/index.ts'
import { createServerHome, type RunningServer, type ServerHome } from '../e2e/running-server.ts'
import { type CuttableConnection, openCuttableConnection } from './cuttable-connection.ts'

export interface FaultNode {
  readonly name: string
  readonly url: string
  readonly line: CuttableConnection
  server(): RunningServer
  start(): Promise<void>
  /** All that it has printed in all of its runs. */
  output(): string
}

export interface Cluster {
  readonly nodes: readonly FaultNode[]
  readonly agentToken: string
  /** Those who decide, with a token each. */
  readonly people: readonly { name: string; token: string }[]
  client(node: FaultNode, token: string): Client
  dispose(): Promise<void>
}

export interface ClusterOptions {
  /** Where the store listens. */
  storePort: number
  /** The store's address as a node sees it through its own line. */
  storeUrl: (port: number) => string
  nodes?: number
  /** More of the configuration. */
  yaml?: string
}

const PEOPLE = ['ana', 'ben', 'cleo']

const POLICY = `
policy:
  rules:
    - name: everything
      when: { tool: '*' }
      then: ask
      approvers: [group:approvers]
`

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const undo: (() => Promise<void> | void)[] = []
  const dispose = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const nodes: FaultNode[] = []
    for (let index = 0; index < (options.nodes ?? 3); index++) {
      nodes.push(await createNode(`node-${index + 1}`, options, undo))
    }
    // One after the other: the first makes the tables.
    for (const node of nodes) await node.start()
    const client = (node: FaultNode, token: string) => createClient({ url: node.url, token })
    const first = nodes[0]!
    const code = first.server().loginLink.split('#login=')[1]!
    const admin = client(first, (await login({ url: first.url, code })).key)
    const people = []
    for (const name of PEOPLE) {
      const { secret } = await admin.tokens.create({ role: 'approver', subject: name })
      people.push({ name, token: secret })
    }
    return { nodes, agentToken: first.server().agentToken, people, client, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function createNode(
  name: string,
  { storePort, storeUrl, yaml = '' }: ClusterOptions,
  undo: (() => Promise<void> | void)[],
): Promise<FaultNode> {
  const line = await openCuttableConnection(storePort)
  undo.push(() => line.close())
  const home: ServerHome = await createServerHome({ BANKSMAN_STORE: storeUrl(line.port) })
  undo.push(() => home.remove())
  const file = join(home.folder, 'banksman.yaml')
  writeFileSync(file, `${POLICY}${yaml}`)
  execFileSync(process.execPath, [...PROGRAM_WORDS, 'trust', file, '--yes'], {
    cwd: home.folder,
    env: { ...process.env, BANKSMAN_HOME: join(home.folder, 'home'), USER: 'owner' },
    stdio: 'pipe',
  })
  let running: RunningServer | undefined
  let before = ''
  undo.push(async () => {
    running?.signal('SIGCONT')
    await running?.stop()
  })
  return {
    name,
    url: `http://127.0.0.1:${home.port}`,
    line,
    server() {
      if (running === undefined) throw new Error(`${name} was not started`)
      return running
    },
    async start() {
      before += running?.output() ?? ''
      running = await home.start()
    },
    output: () => before + (running?.output() ?? ''),
  }
}

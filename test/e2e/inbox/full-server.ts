/** A whole server in this process, with a trusted configuration and an agent that follows a script, in a folder of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../../../src/client/index.ts'
import { trustFolder, writeTrusted } from '../../../src/server/configuration/trust.ts'
import { demonstrationAt } from '../../../src/server/demonstration/demonstration-preset.ts'
import { type Server, startServer } from '../../../src/server/start-server.ts'

export interface FullServer {
  readonly server: Server
  readonly url: string
  /** Where the configuration is, and where agents work. */
  readonly shop: string
  readonly configuration: string
  client(role: 'agent' | 'approver' | 'admin', subject: string): Promise<Client>
  /** A link that logs a browser in, once. */
  link(subject: string, role: 'approver' | 'admin'): Promise<string>
  close(): Promise<void>
}

export interface FullServerOptions {
  /** The text of the configuration file. */
  configuration: string
  /** Puts something into the database before the server opens it. */
  before?: (database: string, shop: string) => Promise<void>
  /** What is set besides the home folder. */
  environment?: Record<string, string>
}

export async function openFullServer({
  configuration: text,
  before,
  environment: more = {},
}: FullServerOptions): Promise<FullServer> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-'))
  const [shop, data] = [join(folder, 'shop'), join(folder, 'data')]
  mkdirSync(shop)
  mkdirSync(data, { mode: 0o700 })
  const configuration = join(shop, 'banksman.yaml')
  writeFileSync(configuration, text)
  const environment = { ...more, BANKSMAN_HOME: join(folder, 'home') }
  writeTrusted(trustFolder(environment), configuration, text, 'ana', Date.now())
  await before?.(join(data, 'banksman.db'), shop)
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data,
    configuration,
    environment,
    demonstration: demonstrationAt(data),
    report: ({ doing, error }) => console.error(doing, error),
    say: () => {},
  })
  const { url, gateway, self } = server
  return {
    server,
    url,
    shop,
    configuration,
    client: async (role, subject) =>
      createClient({ url, token: (await gateway.tokens.create({ role, subject }, self)).secret }),
    async link(subject, role) {
      const { secret } = await gateway.tokens.createLogin({ subject, role }, self)
      return `${url}/#login=${secret}`
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

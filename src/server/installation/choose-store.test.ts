import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfiguration } from '../configuration/configuration.ts'
import { createConfigurationSource } from '../configuration/configuration-source.ts'
import { trustFolder, writeTrusted } from '../configuration/trust.ts'
import { chooseStore, readStoreRecord, storeOfFolder, writeStoreRecord } from './choose-store.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'

let home: string
let file: string
let folder: DataFolder
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-choose-')))
  file = join(home, 'banksman.yaml')
  folder = openDataFolder(join(home, '.banksman'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

interface Given {
  named?: string
  environment?: Record<string, string>
  trusted?: string
  written?: string
}

function choose({ named, environment = {}, trusted, written }: Given) {
  const trustedIn = trustFolder({ BANKSMAN_HOME: home })
  if (trusted !== undefined) writeTrusted(trustedIn, file, trusted, 'ana', 1)
  const text = written ?? trusted
  if (text !== undefined) writeFileSync(file, text)
  const configuration = createConfigurationSource({ file, trustFolder: trustedIn, defaultOwner: 'ana' })
  return chooseStore({ named, environment, configuration, file, folder, cwd: '/cwd' })
}

describe('the store that a start opens', () => {
  it('is the data folder’s own database where nobody says otherwise', () => {
    expect(choose({}).place).toEqual({ kind: 'sqlite', file: folder.database })
    expect(choose({ trusted: 'policy: {}\n' }).place).toEqual({ kind: 'sqlite', file: folder.database })
  })

  it('is what the option says, then the environment, then the configuration', () => {
    const trusted = 'store: sqlite:of-file.db\n'
    const environment = { BANKSMAN_STORE: 'sqlite:of-environment.db' }
    expect(choose({ trusted }).place).toEqual({ kind: 'sqlite', file: join(home, 'of-file.db') })
    expect(choose({ trusted, environment }).place).toEqual({ kind: 'sqlite', file: '/cwd/of-environment.db' })
    expect(choose({ trusted, environment, named: 'memory:' }).place).toEqual({ kind: 'memory' })
    expect(choose({ trusted, environment: { BANKSMAN_STORE: '' } }).place).toMatchObject({
      file: join(home, 'of-file.db'),
    })
  })

  it('has its options from the configuration, whoever named it', () => {
    const trusted = `
store: redis://cache
postgres: { schema: books, poolSize: 4, listenUrl: "\${DIRECT}" }
redis: { mayLose: true, prefix: books }
`
    const environment = { DIRECT: 'postgres://me:p@db:5432/x' }
    expect(choose({ trusted, environment }).place).toEqual({
      kind: 'redis',
      url: 'redis://cache',
      mayLose: true,
      prefix: 'books',
    })
    expect(
      choose({ trusted, environment: { ...environment, BANKSMAN_STORE: 'postgres://me@pool/x' } }).place,
    ).toEqual({
      kind: 'postgres',
      url: 'postgres://me@pool/x',
      schema: 'books',
      poolSize: 4,
      listenUrl: 'postgres://me:p@db:5432/x',
    })
  })

  it('takes passwords from the environment: a whole address as it is, a part of one made fit', () => {
    const part = `store: "postgres://me:\${PASSWORD}@db/x"\n`
    expect(choose({ trusted: part, environment: { PASSWORD: 'a/b@c' } }).place).toMatchObject({
      url: 'postgres://me:a%2Fb%40c@db/x',
    })
    const whole = `store: \${URL}\n`
    expect(choose({ trusted: whole, environment: { URL: 'redis://:x@y' } }).place).toMatchObject({
      url: 'redis://:x@y',
    })
    expect(() => choose({ trusted: part })).toThrow(/variable PASSWORD, which is not set/)
    // In the environment nothing stands for anything else.
    const literal = { BANKSMAN_STORE: `postgres://me:\${PASSWORD}@db/x` }
    expect(choose({ environment: literal }).place).toMatchObject({ url: literal.BANKSMAN_STORE })
  })

  it('P9: a password where others can read it is refused, and not repeated', () => {
    const wrong = [
      () => readConfiguration('store: postgres://me:hunter2@db/x\n', file, 'ana'),
      () => readConfiguration('store: redis://:hunter2@db\n', file, 'ana'),
      () => readConfiguration('store: postgres://db/x?password=hunter2\n', file, 'ana'),
      () => readConfiguration(`store: "postgres://me:hunter2\${X}@db/x"\n`, file, 'ana'),
      () => readConfiguration('postgres: { listenUrl: "postgres://me:hunter2@db/x" }\n', file, 'ana'),
      () => choose({ named: 'postgres://me:hunter2@db/x' }),
    ]
    for (const doing of wrong) {
      expect(doing).toThrow(/does not belong where others can read it; write \$\{NAME\}/)
      expect(doing).not.toThrow(/hunter2/)
    }
  })

  it.each([
    ['store: 7\n', /1:1: store must be of the kind string/],
    ['store: banksman.db\n', /1:1: "banksman.db" is no store; write sqlite:<file>/],
    ['policy: {}\nstore: mysql://db\n', /2:1: "mysql:\/\/db" is no store/],
    [`store: sqlite:\${NAME}.db\n`, /variables are put into addresses only/],
    [`store: "postgres://\${1}@db"\n`, /a variable is written like/],
    ['postgres:\n  schema: Books\n', /2:3: postgres.schema must be a name of lower-case/],
    ['postgres:\n  poolsize: 3\n', /2:3: unknown key "poolsize"; did you mean poolSize\?/],
    ['postgres:\n  listenUrl: redis://x\n', /no address of Postgres/],
    ['redis: { mayLose: perhaps }\n', /redis.mayLose must be of the kind boolean/],
    ['redis: { prefix: "{a}" }\n', /redis.prefix must be a name/],
  ])('%s is refused with its place and what is right', (text, says) => {
    expect(() => readConfiguration(text, file, 'ana')).toThrow(says)
  })

  describe('P11: a text that nobody has trusted', () => {
    it('names no store, and there is no start on another one', () => {
      for (const written of ['store: sqlite:evil.db\n', 'store: "memory:"\n']) {
        expect(() => choose({ written })).toThrow(
          expect.objectContaining({ code: 'untrusted_configuration' }),
        )
      }
      expect(() => choose({ written: 'store: "memory:"\n' })).toThrow(/banksman trust/)
    })

    it('is passed over where a person has named the store in another way', () => {
      const written = 'store: sqlite:evil.db\nredis: { mayLose: true }\n'
      expect(choose({ written, named: 'memory:' }).place).toEqual({ kind: 'memory' })
      const environment = { BANKSMAN_STORE: 'postgres://db/x' }
      expect(choose({ written, environment }).place).toEqual({ kind: 'postgres', url: 'postgres://db/x' })
    })

    it('but not where it says which part of that store is meant, or that it may lose', () => {
      const environment = { BANKSMAN_STORE: 'redis://cache' }
      for (const written of ['redis: { mayLose: true }\n', 'redis: { prefix: other }\n'])
        expect(() => choose({ written, environment })).toThrow(/under redis:/)
      expect(() =>
        choose({
          written: 'postgres: { schema: other }\n',
          environment: { BANKSMAN_STORE: 'postgres://db/x' },
        }),
      ).toThrow(/under postgres:/)
    })

    it('leaves the store where the text that was trusted before has it', () => {
      const { place } = choose({ trusted: 'store: sqlite:mine.db\n', written: 'store: sqlite:evil.db\n' })
      expect(place).toEqual({ kind: 'sqlite', file: join(home, 'mine.db') })
    })
  })
})

describe('the store of a data folder, for commands', () => {
  it('is its own database until a start has opened another', () => {
    expect(storeOfFolder(folder, { BANKSMAN_STORE: 'redis://elsewhere' })).toEqual({
      kind: 'sqlite',
      file: folder.database,
    })
  })

  it('is the one that the last start opened, and the record of it holds no password', () => {
    const environment = { PASSWORD: 'hunter2' }
    writeStoreRecord(folder, choose({ trusted: `store: "postgres://me:\${PASSWORD}@db/x"\n`, environment }))
    expect(JSON.stringify(readStoreRecord(folder))).not.toContain('hunter2')
    expect(storeOfFolder(folder, environment)).toEqual({
      kind: 'postgres',
      url: 'postgres://me:hunter2@db/x',
    })
    expect(() => storeOfFolder(folder, {})).toThrow(/PASSWORD/)
    // Back to its own.
    writeStoreRecord(folder, choose({ trusted: 'policy: {}\n' }))
    expect(storeOfFolder(folder, {})).toEqual({ kind: 'sqlite', file: folder.database })
  })

  it('P11: needs the environment that the server had, and takes no other store for it', () => {
    const environment = { BANKSMAN_STORE: 'postgres://me:hunter2@db/x' }
    writeStoreRecord(folder, choose({ environment }))
    expect(storeOfFolder(folder, environment)).toMatchObject({ url: environment.BANKSMAN_STORE })
    expect(() => storeOfFolder(folder, {})).toThrow(
      /postgres:\/\/db:5432\/x.*BANKSMAN_STORE; set that here too/,
    )
    expect(() => storeOfFolder(folder, { BANKSMAN_STORE: 'postgres://me:hunter3@other/x' })).toThrow(
      /leads to postgres:\/\/other:5432\/x/,
    )
  })

  it('a record that was damaged is an error and not another store', () => {
    writeFileSync(folder.storeFile, '{"at":')
    expect(() => storeOfFolder(folder, {})).toThrow(/not as it was written/)
  })
})

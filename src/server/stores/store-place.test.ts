import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBanksmanError } from '../../core/errors.ts'
import {
  describeStore,
  isShared,
  readStorePlace,
  type StorePlace,
  storeAddresses,
  storeFiles,
  withoutPassword,
} from './store-place.ts'

const read = (text: string) => readStorePlace(text, '/srv')

describe('where a store is', () => {
  it.each<[text: string, place: StorePlace, at: string]>([
    ['memory:', { kind: 'memory' }, 'memory:'],
    ['sqlite:data/a.db', { kind: 'sqlite', file: '/srv/data/a.db' }, 'sqlite:/srv/data/a.db'],
    ['sqlite:/a.db', { kind: 'sqlite', file: '/a.db' }, 'sqlite:/a.db'],
    [
      'postgres://me:secret@DB.example/books',
      { kind: 'postgres', url: 'postgres://me:secret@DB.example/books' },
      'postgres://db.example:5432/books, schema banksman',
    ],
    [
      'postgresql://me@db:6000',
      { kind: 'postgres', url: 'postgresql://me@db:6000' },
      'postgres://db:6000/me, schema banksman',
    ],
    [
      'postgres:///books?host=/var/run/postgresql',
      { kind: 'postgres', url: 'postgres:///books?host=/var/run/postgresql' },
      'postgres:///var/run/postgresql:5432/books, schema banksman',
    ],
    ['redis://cache', { kind: 'redis', url: 'redis://cache' }, 'redis://cache:6379/0, prefix banksman'],
    [
      'rediss://:secret@cache:7000/3',
      { kind: 'redis', url: 'rediss://:secret@cache:7000/3' },
      'rediss://cache:7000/3, prefix banksman',
    ],
  ])('%s', (text, place, at) => {
    expect(read(text)).toEqual(place)
    expect(describeStore(place)).toBe(at)
  })

  it.each<[text: string, says: RegExp]>([
    ['banksman.db', /write sqlite:<file>, postgres:/],
    ['sqlite:', /names no file; write sqlite:banksman\.db/],
    ['memory:x', /write memory: with nothing behind it/],
    ['mysql://db/x', /"mysql:\/\/db\/x" is no store/],
    ['postgres:db/x', /write it like postgres:\/\/user@host/],
    ['postgres://', /names no host|no address/],
    ['postgres://a,b/x', /several hosts/],
    ['redis:cache', /write it like redis:\/\//],
    ['redis://cache/books', /have numbers/],
    ['', /is no store/],
  ])('%s is refused with what is right', (text, says) => {
    expect(() => read(text)).toThrow(says)
  })

  it('P9: no error and no description repeats a password, however the address is broken', () => {
    const secret = 'hunter2hunter2'
    const before = fc.constantFrom(
      'postgres://me:',
      'redis://:',
      'rediss://x:',
      'mysql://me:',
      'me:',
      'postgres:me:',
    )
    const after = fc.constantFrom('@db/x', '@db:99999/x', '@', '@db/x?y', '@[::1/x', '@a,b/x', '@db/x y')
    fc.assert(
      fc.property(before, fc.string({ maxLength: 8 }), after, (head, noise, tail) => {
        let told: string
        try {
          told = describeStore(read(`${head}${secret}${noise}${tail}`))
        } catch (error) {
          if (!isBanksmanError(error, 'invalid_configuration')) throw error
          told = error.message + JSON.stringify(error.details)
        }
        expect(told).not.toContain(secret)
      }),
    )
    expect(withoutPassword(`postgres://db/x?password=${secret}`)).toBe('postgres://db/x?…')
  })

  it.each([
    'postgres://banksman:p@ss/w:rd@127.0.0.1:55471/banksman',
    'postgres://banksman:p@ssw:rd@127.0.0.1/banksman',
    'postgres://banksman:pass/w:rd@127.0.0.1/banksman',
    'postgres://banksman:pass?w:rd@127.0.0.1/banksman',
    'postgres://banksman:pass#w:rd@127.0.0.1/banksman',
    'postgres://banksman:1234/w:rd@127.0.0.1/banksman',
    'postgres://banksman:passw:rd%@127.0.0.1/banksman',
    'postgresql://db/x?password=p@ssw:rd',
    'redis://:p@ss/w:rd@127.0.0.1:6379/0',
    'redis://:p@ssw:rd@127.0.0.1:6379/0',
    'rediss://me:1234#w:rd@127.0.0.1:6379/0',
  ])('P9: %s is refused, with nothing of it repeated', (text) => {
    expect(() => read(text)).toThrow(/percent-encoded.*p@ss becomes p%40ss/)
    expect(() => read(text)).not.toThrow(/w:rd|127\.0|banksman:|1234/)
  })

  it('P9: what can not be read at all is not repeated, and what is encoded is taken', () => {
    expect(() => read('postgres://me:hunter2/x')).toThrow(/^this is no address of Postgres; write/)
    expect(() => read('redis://me:hunter2/0')).toThrow(/^this is no address of Redis; write/)
    for (const text of ['postgres://me:p%40ss%2Fw%3Ard%25@[::1]:1/x?sslmode=require', 'redis://:a:b@db/0'])
      expect(read(text)).toMatchObject({ url: text })
  })

  it('P11: knows the addresses and the files by which it is reached', async () => {
    const both: StorePlace = {
      kind: 'postgres',
      url: 'postgres://me@10.1.2.3/x',
      listenUrl: 'postgres://me@[fd00::1]:6432/x',
    }
    expect(await storeAddresses(both)).toEqual(['10.1.2.3:5432', '[fd00::1]:6432'])
    expect(await storeAddresses(read('redis://localhost'))).toEqual(
      expect.arrayContaining(['localhost:6379', '127.0.0.1:6379']),
    )
    expect(await storeAddresses(read('redis://no-such-host.invalid'))).toEqual(['no-such-host.invalid:6379'])
    const socket = read('postgres:///x?host=/Run/pg&port=6000')
    expect([await storeAddresses(socket), storeFiles(socket)]).toEqual([[], ['/Run/pg/.s.PGSQL.6000']])
    // What the client takes of an address that says it twice.
    const twice = read('postgres://me@10.0.0.1:5432/x?host=10.0.0.2&host=10.0.0.3&port=6000')
    expect(await storeAddresses(twice)).toEqual(['10.0.0.3:6000'])
    expect(await storeAddresses(read('redis://10.0.0.1:6000/0?host=10.0.0.2&port=1'))).toEqual([
      '10.0.0.1:6000',
    ])
    expect(storeFiles(read('sqlite:a.db'))).toEqual(['/srv/a.db'])
    expect(
      ['memory:', 'sqlite:a', 'redis://a', 'postgres://a/x'].map((text) => isShared(read(text))),
    ).toEqual([false, false, true, true])
  })
})

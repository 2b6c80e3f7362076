/** What a store says when the server fails, and that nothing else ever leaves it. */
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../../core/errors.ts'
import { readPostgresAddress } from './address.ts'
import { toOperationError, toStoreError } from './errors.ts'

const address = readPostgresAddress('url', 'postgres://ana:s3cret@db.example:5433/main')

describe('errors of the server', () => {
  it.each([
    ['53100', 'store_full'],
    ['53300', 'store_unavailable'],
    ['08006', 'store_unavailable'],
    ['57P01', 'store_unavailable'],
    ['57P03', 'store_unavailable'],
    ['57014', 'store_unavailable'],
    ['25006', 'store_unavailable'],
    ['23505', 'store_unavailable'],
    ['28P01', 'store_unavailable'],
    ['40P01', 'store_unavailable'],
    ['55P03', 'store_locked'],
    ['42P01', 'store_corrupt'],
    ['42883', 'store_corrupt'],
    ['42501', 'store_unavailable'],
    ['XX001', 'store_corrupt'],
    ['ECONNREFUSED', 'store_unavailable'],
    ['toString', 'store_unavailable'],
    ['', 'store_unavailable'],
  ])('%s is %s', (code, expected) => {
    const error = toStoreError(Object.assign(new Error('why'), { code }), 'writing', address)
    expect(error.code).toBe(expected)
    expect(error.message).toContain('db.example:5433/main: why')
    expect(toOperationError(code, 'why', address).code).toBe(expected)
  })

  it('what is no error is told too, and ours are left as they are', () => {
    for (const thrown of [undefined, null, 'text', {}, new TypeError('x')]) {
      expect(toStoreError(thrown, 'reading', address).code).toBe('store_unavailable')
    }
    const ours = new BanksmanError('closed', 'closed')
    expect(toStoreError(ours, 'reading', address)).toBe(ours)
  })

  it('P9: hold no password, and no cause that does', () => {
    const error = toStoreError(new Error('at s3cret'), 'reading', address)
    expect(error.message).not.toContain('s3cret')
    expect(error.cause).toBe(undefined)
    expect(address.name).toBe('db.example:5433/main')
  })

  it.each([
    'postgres://banksman:p@ss/w:rd@127.0.0.1:5432/x',
    'postgres://banksman:pass#w:rd@127.0.0.1/x',
    'postgres://banksman:passw:rd%@127.0.0.1/x',
    'p@ss/w:rd@127.0.0.1',
  ])('P9: an address is refused where a password was not encoded: %s', (url) => {
    expect(() => readPostgresAddress('url', url)).toThrow(/^url is not repeated .*p%40ss/)
    expect(() => readPostgresAddress('url', url)).not.toThrow(/w:rd|127/)
  })

  it('P9: a short password is covered in its place, and words that hold its letters stay', () => {
    const short = readPostgresAddress('url', 'postgres://ana:p@db.example/main')
    const error = toStoreError(new Error('stopped at postgres://x:p@h'), 'opening the store', short)
    expect(error.message).toMatch(
      /^opening the store failed: .*\(db\.example\/main: stopped at .*x:\*\*\*@h\)$/,
    )
    expect(short.redact('for postgres://ana:p@db.example/main')).toBe('for db.example/main')
    const word = readPostgresAddress('url', 'postgres://ana:opening@db.example/main')
    expect(toStoreError(new Error('x'), 'opening the store', word).message).toContain('opening the store')
  })

  it.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED', /is it running, and are host and port right\?/],
    ['', 'Connection terminated due to connection timeout', /is it running/],
    ['57P03', 'the database system is starting up', /try again when it runs/],
    ['', 'The server does not support SSL connections', /sslmode/],
    ['3D000', 'no such', /create it/],
  ])('while the store is opened, it is said what to check: %s %s', (code, message, says) => {
    const thrown = Object.assign(new Error(message), { code })
    const error = toStoreError(thrown, 'opening the store', address, 'opening')
    expect(error.message).toMatch(says)
    expect(error.message).not.toContain('by itself')
  })
})

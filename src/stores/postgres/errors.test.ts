/** What a store says when the server fails, and that nothing else ever leaves it. */
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import { readAddress } from './address.ts'
import { toOperationError, toStoreError } from './errors.ts'

const address = readAddress('url', 'postgres://ana:s3cret@db.example:5433/main')

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
})

import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../../core/errors.ts'
import { createRedact, shownUrl, toStoreError } from './errors.ts'

describe('errors of Redis', () => {
  const codeOf = (message: string) => toStoreError(new Error(message), 'trying', (text) => text).code

  it.each([
    [
      "OOM allow-oom flag is not set on the script, can't run it when used memory > 'maxmemory'",
      'store_full',
    ],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'store_full'],
    ['MISCONF Errors writing to the AOF file: No space left on device', 'store_full'],
    ['MISCONF Redis is configured to save RDB snapshots, but is currently unable to', 'store_unavailable'],
    ["READONLY You can't write against a read only replica.", 'store_unavailable'],
    ['LOADING Redis is loading the dataset in memory', 'store_unavailable'],
    ['MASTERDOWN Link with MASTER is down', 'store_unavailable'],
    ['CLUSTERDOWN The cluster is down', 'store_unavailable'],
    ['MOVED 3999 127.0.0.1:6381', 'store_unavailable'],
    ['BUSY Redis is busy running a script', 'store_unavailable'],
    ['WRONGTYPE Operation against a key holding the wrong kind of value', 'store_corrupt'],
    ['NOAUTH Authentication required.', 'invalid_configuration'],
    ['WRONGPASS invalid username-password pair', 'invalid_configuration'],
    ['ERR something new', 'store_unavailable'],
    ['Socket closed unexpectedly', 'store_unavailable'],
    ['connect ECONNREFUSED 127.0.0.1:1', 'store_unavailable'],
    ['BANKSMAN taken token', 'store_unavailable'],
    ['BANKSMAN gone', 'store_unavailable'],
    ['BANKSMAN lost 4', 'store_unavailable'],
    ['BANKSMAN schema 7', 'schema_newer'],
    ['BANKSMAN foreign', 'store_corrupt'],
    ['BANKSMAN corrupt a chain does not end where it should', 'store_corrupt'],
  ])('%s', (message, code) => {
    expect(codeOf(message)).toBe(code)
    expect(codeOf(`${message} script: ${'a'.repeat(40)}, on @user_script:2.`)).toBe(code)
  })

  it('leaves our own as they are', () => {
    const own = new BanksmanError('invalid', 'a cursor')
    expect(toStoreError(own, 'trying', String)).toBe(own)
  })

  it.each([
    ['redis://ana:hunter2@host:1/0', 'redis://host:1/0'],
    ['redis://:hunter2@host', 'redis://host'],
    ['redis://ana:a/hunter2@x@host', 'redis://host'],
    ['ana:hunter2@host', 'host'],
    ['redis://host', 'redis://host'],
  ])('shows %s without its password', (url, shown) => {
    expect(shownUrl(url)).toBe(shown)
    const password = /:([^:]*)@/.exec(url)?.[1]
    if (password !== undefined) expect(createRedact(url)(`it was ${password}!`)).not.toContain('hunter2')
  })

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:1', /is it running, and are host and port right\?/],
    ['getaddrinfo ENOTFOUND db', /is it running/],
    ['Redis did not take the connection within 5000 ms', /is it running/],
    ['ERR DB index is out of range', /name one that exists/],
    ['WRONGPASS invalid username-password pair', /user and password/],
    ['NOAUTH Authentication required.', /user and password/],
    ['Socket closed unexpectedly', /rediss:/],
    ['0A0C:error:0A00010B:SSL routines:ssl3_get_record:wrong version number', /does this port speak TLS/],
  ])('while the store is opened, it is said what to check: %s', (message, says) => {
    const error = toStoreError(new Error(message), 'opening', String, 'opening')
    expect(error.message).toMatch(says)
    expect(error.message).not.toContain('by itself')
  })

  it('P9: a short password is covered in its place, and words that hold its letters stay', () => {
    const redact = createRedact('redis://:p@host/0')
    expect(redact('opening redis://:p@host/0, redis://x:p@y')).toBe('opening redis://host/0, redis://x:***@y')
  })

  it('knows a password that is escaped in the URL', () => {
    const redact = createRedact('redis://ana:p%40ss@host')
    expect(redact('p@ss and p%40ss')).toBe('*** and ***')
  })
})

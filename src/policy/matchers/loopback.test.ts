import { BlockList, isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLoopback } from './loopback.ts'

describe('isLoopback', () => {
  it('P11: knows this machine by all its names and numbers', () => {
    for (const host of [
      'localhost',
      'a.b.localhost',
      '0',
      '0x0',
      '127.1',
      '0x7f.0.0x0.1',
      '0177.1',
      '017700000001',
    ]) {
      expect(isLoopback(host), host).toBe(true)
    }
    for (const host of ['::1', '::', '::1%lo', '0::0:1', '::ffff:127.0.0.1', '::127.0.0.1', '::ffff:0:0']) {
      expect(isLoopback(host), host).toBe(true)
    }
  })

  it('and what is another', () => {
    for (const host of [
      '',
      'localhosts',
      'notlocalhost',
      '1',
      '128.0.0.1',
      '127',
      '256.1',
      '127.0.0.256',
      '127.0.0.0.1',
    ]) {
      expect(isLoopback(host), host).toBe(false)
    }
    for (const host of [
      '127.0.0.1.example.com',
      '0x7g',
      '::2',
      '1::1',
      'fe80::1',
      '::ffff:10.0.0.1',
      ':::1',
      '1:2',
      '::1::',
    ]) {
      expect(isLoopback(host), host).toBe(false)
    }
  })

  it('property: agrees with the network stack on written-out addresses', () => {
    const own = new BlockList()
    own.addSubnet('127.0.0.0', 8, 'ipv4')
    own.addAddress('0.0.0.0', 'ipv4')
    own.addAddress('::1', 'ipv6')
    own.addAddress('::', 'ipv6')
    // 127.0.0.0/8 in the old form without `ffff`.
    own.addSubnet('::7f00:0', 104, 'ipv6')
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4().map((text) => `::ffff:${text}`),
      fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => `127.${parts.join('.')}`),
      fc.constantFrom('::', '::1', '0:0:0:0:0:0:0:1', '0.0.0.0'),
    )
    fc.assert(
      fc.property(address, (text) => {
        const embedded = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1]
        const shown = embedded ?? text
        fc.pre(isIPv4(shown) || isIPv6(shown))
        expect(isLoopback(text)).toBe(own.check(shown, isIPv4(shown) ? 'ipv4' : 'ipv6'))
      }),
      { numRuns: 2000 },
    )
  })

  it('property: P11: one number is the same host in every notation', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255), (a, b, c, d) => {
        const number = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
        const octal = (part: number) => `0${part.toString(8)}`
        const notations = [
          `${number}`,
          `0x${number.toString(16)}`,
          octal(number),
          `${a}.${number % 2 ** 24}`,
          `${a}.${b}.${c * 256 + d}`,
          [a, b, c, d].map(octal).join('.'),
          [a, b, c, d].map((part) => `0x${part.toString(16)}`).join('.'),
        ]
        for (const notation of notations)
          expect(isLoopback(notation), notation).toBe(isLoopback(`${a}.${b}.${c}.${d}`))
      }),
    )
    expect(isLoopback('2130706433')).toBe(true)
  })
})

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createVapid, generateVapidKey } from './vapid.ts'

const NOW = Date.parse('2026-05-01T12:00:00Z')
const key = generateVapidKey()
const vapid = createVapid(key, 'mailto:ops@example.org')

describe('VAPID', () => {
  it('is a signed statement for the origin of one service, for twelve hours', () => {
    const header = vapid.authorization('https://fcm.googleapis.com/fcm/send/abc?x=1', NOW)
    const [, said = '', signature = '', publicKey] =
      /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
    const [head, claims] = said
      .split('.')
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(head).toEqual({ typ: 'JWT', alg: 'ES256' })
    expect(claims).toEqual({
      aud: 'https://fcm.googleapis.com',
      exp: NOW / 1000 + 12 * 3600,
      sub: 'mailto:ops@example.org',
    })
    expect(publicKey).toBe(vapid.publicKey)
    const bytes = Buffer.from(signature, 'base64url')
    expect(bytes).toHaveLength(64)
    const verifier = { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', Buffer.from(said), verifier, bytes)).toBe(true)
    expect(verify('sha256', Buffer.from(`${said}x`), verifier, bytes)).toBe(false)
  })

  it('gives the public key as browsers take it: the point, uncompressed', () => {
    const point = Buffer.from(vapid.publicKey, 'base64url')
    expect([point.length, point[0]]).toEqual([65, 4])
    const { x, y } = createPublicKey(key).export({ format: 'jwk' })
    expect(point.subarray(1).toString('base64url')).toBe(
      Buffer.concat([Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]).toString('base64url'),
    )
    expect(createVapid(generateVapidKey(), 'mailto:a@b').publicKey).not.toBe(vapid.publicKey)
  })

  it('refuses what is no such key, without repeating it', () => {
    const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    for (const wrong of ['secret text', other, '']) {
      expect(() => createVapid(wrong, 'mailto:a@b')).toThrow(/P-256/)
      expect(() => createVapid(wrong, 'mailto:a@b')).not.toThrow(/secret text|BEGIN/)
    }
  })
})

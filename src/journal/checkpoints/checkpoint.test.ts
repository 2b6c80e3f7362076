import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../core/json/json.ts'
import { genesis, nextHash } from '../entry.ts'
import { createSigner, generateSigningKey, type Rotation, verifyCheckpoint } from './checkpoint.ts'
import { formatStatement, parseCheckpointFile } from './checkpoint-file.ts'
import { trustKeys } from './trusted-keys.ts'

const head = nextHash(genesis('main'), '{}')
const [first, second, third, stranger] = [1, 2, 3, 4].map(() =>
  createSigner(generateSigningKey().privateKey),
) as [
  ReturnType<typeof createSigner>,
  ReturnType<typeof createSigner>,
  ReturnType<typeof createSigner>,
  ReturnType<typeof createSigner>,
]

describe('a checkpoint', () => {
  const checkpoint = first.checkpoint('main', head, 5)

  it('P10: is valid under the key that signed it, and after a way through a file', () => {
    const { checkpoints } = parseCheckpointFile(formatStatement(checkpoint))
    expect(checkpoints).toEqual([checkpoint])
    expect(verifyCheckpoint(checkpoints[0]!, trustKeys(first.publicKey))).toBe('valid')
  })

  it('P10: is not valid with any member changed', () => {
    const keys = trustKeys([first.publicKey, second.publicKey])
    const changes = [
      { chain: 'other' },
      { n: 2 },
      { hash: genesis('main').hash },
      { at: 6 },
      { keyId: second.keyId },
      { signature: second.checkpoint('main', head, 5).signature },
      { signature: '' },
      { v: 2 },
      { more: 1 },
    ]
    for (const change of changes) {
      expect(verifyCheckpoint({ ...checkpoint, ...change } as typeof checkpoint, keys)).toBe('bad_signature')
    }
  })

  it('P10: is not valid when it is well signed but says nothing of an entry', () => {
    const keys = trustKeys(first.publicKey)
    expect(verifyCheckpoint(first.checkpoint('main', { n: 0, hash: head.hash }, 5), keys)).toBe(
      'bad_signature',
    )
    expect(verifyCheckpoint(first.checkpoint('main', { n: 1, hash: 'none' }, 5), keys)).toBe('bad_signature')
  })

  it('P10: of a key that nobody vouched for counts for nothing', () => {
    expect(verifyCheckpoint(checkpoint, trustKeys([]))).toBe('unknown_key')
    expect(verifyCheckpoint(checkpoint, trustKeys(second.publicKey))).toBe('unknown_key')
  })

  it('takes only Ed25519 keys, and never a private key for a public one', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const rsaPrivate = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const rsaPublic = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    expect(() => createSigner(rsaPrivate)).toThrow('the private key is of the type rsa; it must be Ed25519')
    expect(() => trustKeys(rsaPublic)).toThrow('the public key is of the type rsa; it must be Ed25519')
    expect(() => trustKeys(generateSigningKey().privateKey)).toThrow('it is a private key')
    expect(() => createSigner('nonsense')).toThrow('that is no private key')
    expect(() => createSigner(first.publicKey)).toThrow('that is no private key')
  })

  it('names a key by the start of the hash of its public half', () => {
    expect(first.keyId).toMatch(/^[0-9a-f]{16}$/)
    expect(trustKeys(first.publicKey).ids).toEqual([first.keyId])
  })
})

describe('rotation', () => {
  it('P10: trust goes from key to key, and what an old key signed goes on counting', () => {
    const rotations = [first.rotate(second.publicKey, 1), second.rotate(third.publicKey, 2)]
    const keys = trustKeys(first.publicKey, rotations)
    expect(keys.problems).toEqual([])
    expect(keys.ids).toEqual([first.keyId, second.keyId, third.keyId])
    for (const signer of [first, second, third]) {
      expect(verifyCheckpoint(signer.checkpoint('main', head, 9), keys)).toBe('valid')
    }
  })

  it('P10: does not follow a key that no trusted key handed over to', () => {
    const keys = trustKeys(first.publicKey, [stranger.rotate(second.publicKey, 1)])
    expect(keys.ids).toEqual([first.keyId])
    expect(keys.problems).toMatchObject([{ kind: 'unknown_key' }])
  })

  it('P10: does not follow a rotation that was changed', () => {
    const rotation = first.rotate(second.publicKey, 1)
    const changes: Partial<Record<keyof Rotation, unknown>>[] = [
      { to: stranger.keyId, publicKey: stranger.publicKey },
      { publicKey: stranger.publicKey },
      { at: 2 },
      { signature: stranger.rotate(second.publicKey, 1).signature },
    ]
    for (const change of changes) {
      const keys = trustKeys(first.publicKey, [{ ...rotation, ...change } as Rotation])
      expect(keys.ids).toEqual([first.keyId])
      expect(keys.problems).toMatchObject([{ kind: 'bad_signature' }])
    }
  })

  it('P10: does not follow a well-signed statement that is no rotation, or that carries another key', () => {
    const { privateKey, publicKey } = generateSigningKey()
    const signer = createSigner(privateKey)
    const resign = (statement: object) => {
      const { signature: _, ...rest } = statement as Rotation
      const signature = sign(null, Buffer.from(canonicalize(rest)), privateKey).toString('base64')
      return { ...rest, signature } as Rotation
    }
    const { type: _, ...untyped } = signer.rotate(second.publicKey, 1)
    const statements = [
      resign(untyped),
      resign({ ...signer.rotate(second.publicKey, 1), publicKey: stranger.publicKey }),
      resign({ ...signer.rotate(second.publicKey, 1), publicKey: 'nonsense' }),
    ]
    for (const statement of statements) {
      const keys = trustKeys(publicKey, [statement])
      expect(keys.ids).toEqual([signer.keyId])
      expect(keys.problems).toMatchObject([{ kind: 'bad_signature' }])
    }
    expect(trustKeys(publicKey, [resign(signer.rotate(second.publicKey, 1))]).problems).toEqual([])
  })

  it('P10: does not follow a second hand-over of the same key, as a thief would write it', () => {
    const rotations = [first.rotate(second.publicKey, 1), first.rotate(stranger.publicKey, 1)]
    const keys = trustKeys(first.publicKey, rotations)
    expect(keys.ids).toEqual([first.keyId, second.keyId])
    expect(keys.problems).toMatchObject([{ kind: 'unknown_key' }])
  })

  it('P10: a signed checkpoint can’t be passed off as a rotation', () => {
    const { signature } = first.checkpoint('main', head, 1)
    const forged = { ...first.rotate(stranger.publicKey, 1), signature }
    expect(trustKeys(first.publicKey, [forged]).ids).toEqual([first.keyId])
  })

  it('needs another key to hand over to', () => {
    expect(() => first.rotate(first.publicKey, 1)).toThrow('a rotation needs another key')
  })
})

describe('the file of checkpoints', () => {
  const lines = [
    formatStatement(first.checkpoint('main', head, 1)),
    formatStatement(first.rotate(second.publicKey, 2)),
    formatStatement(second.checkpoint('main', head, 3)),
  ]
  const text = lines.join('')

  it('keeps checkpoints and rotations in their order', () => {
    const file = parseCheckpointFile(text)
    expect(file.checkpoints.map((checkpoint) => checkpoint.at)).toEqual([1, 3])
    expect(file.rotations.map((rotation) => rotation.to)).toEqual([second.keyId])
    expect(file.damaged).toEqual([])
  })

  it('P10: a last line that was cut off anywhere is told, and the rest holds', () => {
    const whole = lines[0]!.length + lines[1]!.length
    for (let end = whole + 1; end < text.length - 1; end++) {
      const file = parseCheckpointFile(text.slice(0, end))
      expect(file.damaged).toEqual([{ line: 3, why: 'it is not JSON' }])
      expect(file.checkpoints).toHaveLength(1)
    }
    expect(parseCheckpointFile(text.slice(0, -1)).checkpoints).toHaveLength(2)
    expect(parseCheckpointFile(text.slice(0, whole)).damaged).toEqual([])
  })

  it('P10: any other line that is no statement is named, and the rest holds', () => {
    const bad = [
      ['{"v":1', 'it is not JSON'],
      [lines[0]!.slice(0, 40) + lines[0]!.trim(), 'it is not JSON'],
      ['{ "v": 1 }', 'it is JSON, but not in the canonical form in which it was written'],
      ['{"v":1,"v":1}', 'it is JSON, but not in the canonical form in which it was written'],
      ['7', 'it is not an object'],
      ['{"v":1}', 'it is neither a checkpoint nor a rotation'],
      [lines[0]!.replace('"v":1', '"v":2').trim(), 'it is neither a checkpoint nor a rotation'],
    ] as const
    for (const [line, why] of bad) {
      const file = parseCheckpointFile(`${lines[0]}${line}\n${lines[2]}`)
      expect(file.damaged).toEqual([{ line: 2, why }])
      expect(file.checkpoints.map(({ at }) => at)).toEqual([1, 3])
    }
  })

  it('takes line ends of other systems, and an empty file', () => {
    expect(parseCheckpointFile(text.replaceAll('\n', '\r\n')).checkpoints).toHaveLength(2)
    expect(parseCheckpointFile('')).toEqual({ checkpoints: [], rotations: [], damaged: [] })
  })
})

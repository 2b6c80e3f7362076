/**
 * The frame of the long connection, a message of Protocol Buffers:
 * `SeqID = 1, LogID = 2` (uint64), `service = 3, method = 4` (int32), `headers = 5` (repeated `key = 1, value = 2`),
 * `payload_encoding = 6, payload_type = 7` (string), `payload = 8` (bytes), `LogIDNew = 9` (string).
 * Fields that we don't know are left out. Bytes that are no such message throw.
 */
export interface FeishuFrame {
  sequence: bigint
  log: bigint
  service: number
  method: number
  headers: readonly (readonly [key: string, value: string])[]
  payloadEncoding?: string
  payloadType?: string
  payload?: Uint8Array
  logName?: string
}

/** What a frame is for. */
export const CONTROL = 0
export const DATA = 1

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5
const MAX_HEADERS = 100

export function headerOf({ headers }: FeishuFrame, key: string): string | undefined {
  return headers.find(([name]) => name === key)?.[1]
}

export function encodeFrame(frame: FeishuFrame): Uint8Array<ArrayBuffer> {
  const { sequence, log, service, method, headers, payloadEncoding, payloadType, payload, logName } = frame
  return Buffer.concat([
    number(1, sequence),
    number(2, log),
    number(3, BigInt.asUintN(64, BigInt(service))),
    number(4, BigInt.asUintN(64, BigInt(method))),
    ...headers.map(([key, value]) => bytes(5, Buffer.concat([text(1, key), text(2, value)]))),
    ...(payloadEncoding === undefined ? [] : [text(6, payloadEncoding)]),
    ...(payloadType === undefined ? [] : [text(7, payloadType)]),
    ...(payload === undefined ? [] : [bytes(8, payload)]),
    ...(logName === undefined ? [] : [text(9, logName)]),
  ])
}

export function decodeFrame(from: Uint8Array): FeishuFrame {
  const headers: [string, string][] = []
  const frame: FeishuFrame = { sequence: 0n, log: 0n, service: 0, method: 0, headers }
  for (const { field, value } of fieldsOf(from)) {
    if (typeof value === 'bigint') {
      if (field === 1) frame.sequence = value
      if (field === 2) frame.log = value
      if (field === 3) frame.service = Number(BigInt.asIntN(32, value))
      if (field === 4) frame.method = Number(BigInt.asIntN(32, value))
      continue
    }
    if (field === 5) headers.push(decodeHeader(value))
    if (headers.length > MAX_HEADERS) throw new Error('the frame has too many headers')
    if (field === 6) frame.payloadEncoding = textOf(value)
    if (field === 7) frame.payloadType = textOf(value)
    if (field === 8) frame.payload = value
    if (field === 9) frame.logName = textOf(value)
  }
  return frame
}

function decodeHeader(from: Uint8Array): [string, string] {
  let [key, value] = ['', '']
  for (const { field, value: found } of fieldsOf(from)) {
    if (typeof found === 'bigint') continue
    if (field === 1) key = textOf(found)
    if (field === 2) value = textOf(found)
  }
  return [key, value]
}

function* fieldsOf(from: Uint8Array): Generator<{ field: number; value: bigint | Uint8Array }> {
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = from[at++]
      if (byte === undefined) throw new Error('the frame ends within a number')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new Error('the frame has a number of more than ten bytes')
  }
  const take = (length: number): Uint8Array => {
    if (length > from.length - at) throw new Error('the frame ends within a field')
    at += length
    return from.subarray(at - length, at)
  }
  while (at < from.length) {
    const key = Number(varint())
    const field = Math.floor(key / 8)
    const kind = key % 8
    if (kind === VARINT) yield { field, value: varint() }
    else if (kind === BYTES) yield { field, value: take(Number(varint())) }
    else if (kind === FIXED_64) take(8)
    else if (kind === FIXED_32) take(4)
    else throw new Error(`the frame has a field of kind ${kind}`)
  }
}

function varintBytes(value: bigint): Uint8Array {
  const out: number[] = []
  let left = value
  for (; left > 0x7fn; left >>= 7n) out.push(Number(left & 0x7fn) | 0x80)
  return Uint8Array.from([...out, Number(left)])
}

function number(field: number, value: bigint): Uint8Array {
  return Buffer.concat([varintBytes(BigInt(field * 8 + VARINT)), varintBytes(value)])
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([varintBytes(BigInt(field * 8 + BYTES)), varintBytes(BigInt(value.length)), value])
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, Buffer.from(value))
}

function textOf(value: Uint8Array): string {
  return Buffer.from(value).toString('utf8')
}

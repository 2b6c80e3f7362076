/** Bytes as text: exactly, or with what is no text made visible. */

/** Undefined where it is no UTF-8. With `isCut` the last character may be there only in part, and is left away then. */
export function utf8Text(bytes: Uint8Array, { isCut = false } = {}): string | undefined {
  const whole = isCut ? bytes.subarray(0, endOfCharacters(bytes)) : bytes
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole)
  } catch {
    return undefined
  }
}

/** Every byte that is part of no character as `\xNN`, and NUL with them. */
export function visibleText(bytes: Uint8Array): string {
  const exact = bytes.includes(0) ? undefined : utf8Text(bytes)
  if (exact !== undefined) return exact
  const out: string[] = []
  let plainFrom = 0
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] === 0 ? 0 : characterLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    out.push(Buffer.from(bytes.subarray(plainFrom, at)).toString('utf8'))
    out.push(`\\x${bytes[at]!.toString(16).padStart(2, '0')}`)
    at++
    plainFrom = at
  }
  out.push(Buffer.from(bytes.subarray(plainFrom)).toString('utf8'))
  return out.join('')
}

/** Where the last whole character ends. */
export function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const at = bytes.length - back
    const byte = bytes[at]!
    if ((byte & 0xc0) === 0x80) continue
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return wanted > back ? at : bytes.length
  }
  return bytes.length
}

/** Where the first whole character begins, in bytes that may start within one. */
export function startOfCharacters(bytes: Uint8Array): number {
  let at = 0
  while (at < Math.min(3, bytes.length) && (bytes[at]! & 0xc0) === 0x80) at++
  return at
}

/** 0 where none begins. Overlong forms and surrogates are no characters. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0
  for (let index = 1; index < length; index++) {
    if ((bytes[at + index]! & 0xc0) !== 0x80) return 0
  }
  const second = bytes[at + 1]!
  const isWrong =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f)
  return isWrong ? 0 : length
}

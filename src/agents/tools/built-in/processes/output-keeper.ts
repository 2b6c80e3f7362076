/** Keeps the beginning and the end of an output that may be without end, in memory that does not grow. */
import { endOfCharacters, startOfCharacters, visibleText } from '../files/text-of-bytes.ts'

export interface OutputKeeper {
  readonly add: (chunk: Uint8Array) => void
  /** With a mark between the two that says how much was left out. */
  text(): string
}

export function createOutputKeeper(keptBytes: number): OutputKeeper {
  const half = Math.floor(keptBytes / 2)
  const head = new Uint8Array(half)
  const ring = new Uint8Array(half)
  let total = 0
  return {
    add(chunk) {
      const inHead = Math.max(0, Math.min(half - total, chunk.length))
      head.set(chunk.subarray(0, inHead), Math.min(total, half))
      // Of what follows only the last part can stay.
      const from = Math.max(inHead, chunk.length - half)
      const first = (total + from) % half
      const rest = chunk.subarray(from)
      const untilEnd = rest.subarray(0, half - first)
      if (rest.length > 0) {
        ring.set(untilEnd, first)
        ring.set(rest.subarray(untilEnd.length), 0)
      }
      total += chunk.length
    },
    text() {
      if (total <= half) return visibleText(head.subarray(0, total))
      const kept = Math.min(total - half, half)
      const end = total % half
      const tail =
        kept < half ? ring.subarray(0, kept) : Buffer.concat([ring.subarray(end), ring.subarray(0, end)])
      if (total <= 2 * half) return visibleText(Buffer.concat([head, tail]))
      const headText = head.subarray(0, endOfCharacters(head))
      const tailText = tail.subarray(startOfCharacters(tail))
      const leftOut = total - headText.length - tailText.length
      return `${visibleText(headText)}\n[… ${leftOut} bytes left out …]\n${visibleText(tailText)}`
    },
  }
}

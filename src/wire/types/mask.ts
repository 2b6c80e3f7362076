/** What is hidden in a request, and what that asks of an approval, as it goes over the wire (P9). */

export interface WireMask {
  /** JSON pointer into the arguments. */
  pointer: string
  kind: string
  /** Of what is hidden. */
  length: number
  /** It is hidden because of this name, and not because of its shape. */
  name?: string
  /** It isn't plainly a secret: it has to be uncovered before the call can be approved. */
  mustUncover?: true
}

/** A value is hidden because of its name: a chat can't approve the request. */
export interface WireCovered {
  /** The values that must be uncovered first, by JSON pointer: they aren't plainly secrets. */
  uncover: string[]
  /** Whether the reader has uncovered them in the call as it is now. */
  uncovered: boolean
  /** A sentence for people, in the reader's language. */
  because: string
}

/** What a mask says: why a value is hidden, and what stands in its place. Also for masks as they go over the wire. */

/** Nothing there has the name, so that it would be no reason to a reader. */
export const CONNECTION_PASSWORD = 'password of a connection string'

export function maskLabel({ kind, name }: { kind: string; name?: string }): string {
  return name === undefined || kind === CONNECTION_PASSWORD ? kind : `hidden because of its name "${name}"`
}

/** The name that was the reason, from what `maskLabel` gave: a mask stands in texts, and is the same for every reader. */
export function nameInLabel(label: string): string | undefined {
  const [before, after] = maskLabel({ kind: '', name: '\0' }).split('\0') as [string, string]
  const isNamed =
    label.startsWith(before) && label.endsWith(after) && label.length >= before.length + after.length
  return isNamed ? label.slice(before.length, label.length - after.length) : undefined
}

/** A mask as a screen shows it: where only a part of a value is hidden, `around` is what is shown of the rest. */
export interface MaskPieces {
  text: string
  around?: { before: string; after: string }
}

/** The mask by itself, without what is shown around it. */
export function coverOf({ text, around }: MaskPieces): string {
  return around === undefined ? text : text.slice(around.before.length, text.length - around.after.length)
}

/**
 * Which options a text means. Where several may be chosen, hosts join them with ", ", and a label may have a comma of
 * its own: a text that can be cut in two ways has no one meaning.
 */
const BETWEEN = ', '
/** More than twenty labels of a reasonable length; each place in the text is looked at once for each label. */
const MAX_TEXT = 64 * 1024

/** Undefined when it is none of the options. */
export function readChoices(
  text: string,
  labels: readonly string[],
  several: boolean,
): string[] | 'ambiguous' | undefined {
  if (!several) return labels.includes(text) ? [text] : undefined
  if (text.length > MAX_TEXT) return undefined
  // For each place from the end: in how many ways the rest can be cut, and the label that one of them begins with.
  const ways = new Map<number, { count: number; label: string }>()
  for (let at = text.length - 1; at >= 0; at--) {
    for (const label of labels) {
      if (label === '' || !text.startsWith(label, at)) continue
      const end = at + label.length
      const rest =
        end === text.length ? 1 : text.startsWith(BETWEEN, end) ? (ways.get(end + 2)?.count ?? 0) : 0
      if (rest === 0) continue
      const before = ways.get(at)?.count ?? 0
      // Two is as many as need to be told apart, and the true number may be large.
      ways.set(at, { count: Math.min(2, before + rest), label })
    }
  }
  const whole = ways.get(0)
  if (whole === undefined) return undefined
  if (whole.count > 1) return 'ambiguous'
  const choices: string[] = []
  for (let at = 0; at < text.length; ) {
    const { label } = ways.get(at)!
    choices.push(label)
    at += label.length + BETWEEN.length
  }
  return choices
}

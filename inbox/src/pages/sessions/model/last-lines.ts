/** The last lines of what a session said: as much as a card has room for. */

export interface LastLines {
  text: string
  /** There is more before it. */
  isCut: boolean
}

const MAX_LINES = 5
const MAX_CHARACTERS = 360

export function lastLines(said: readonly string[]): LastLines | undefined {
  const whole = said.findLast((each) => each.trim() !== '')?.trim()
  if (whole === undefined) return undefined
  const lines = whole.split('\n').slice(-MAX_LINES).join('\n')
  const characters = [...lines]
  const text = characters.length > MAX_CHARACTERS ? characters.slice(-MAX_CHARACTERS).join('') : lines
  return { text: text.trimStart(), isCut: text.length < whole.length }
}

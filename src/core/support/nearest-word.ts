/** The known word that someone probably meant, for error messages. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  // Nobody mistypes a long text; and the comparison takes time in the square of the length.
  if (word.length > 40) return undefined
  let best: { word: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (best === undefined || distance < best.distance) best = { word: candidate, distance }
  }
  // More than a third of the letters wrong is another word, and suggesting it would mislead.
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.word.length / 3))
    ? best.word
    : undefined
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      )
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

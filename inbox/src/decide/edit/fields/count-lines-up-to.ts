/** How many lines a text has, counted no further than is asked for: a text area is never as high as a huge text is long. */
export function countLinesUpTo(text: string, most: number): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && count < most; at = text.indexOf('\n', at + 1)) count++
  return count
}

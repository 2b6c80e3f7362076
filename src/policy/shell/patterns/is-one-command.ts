/** Whether a pattern is about one command: nothing in it joins commands, holds one, or sends output elsewhere. */
export function isOneCommand(pattern: string): boolean {
  const bare = pattern.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, '')
  return !/[;&|<>\n`]|\$\(/.test(bare) && !/\$\(|`/.test(pattern.replace(/'[^']*'/gs, ''))
}

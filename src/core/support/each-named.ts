/** The same for each of the names, which spaces divide, as the entries of a map. */
export function eachNamed<T>(names: string, value: T): [string, T][] {
  return names.split(' ').map((name) => [name, value])
}

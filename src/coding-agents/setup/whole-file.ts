import type { SetupFile } from './agent-setup.ts'

/** A file that is ours alone. It is known by its first line: somebody else's of the same name is put back when ours goes. */
export function wholeFile(path: string, text: string): SetupFile {
  const firstLine = (of: string) => of.split('\n', 1)[0]
  return {
    path,
    kind: 'whole',
    add: () => text,
    remove: (found, before) => (firstLine(found) === firstLine(text) ? before : found),
    find: (found) => (found === undefined ? 'missing' : found === text ? 'there' : 'changed'),
  }
}

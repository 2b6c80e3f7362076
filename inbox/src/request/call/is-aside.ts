import type { Field } from '../../../../src/client/index.ts'

/** The folder is named in the heading, and what the tool says of itself is no part of the call: both are among the details. */
export function isAside({ about }: Pick<Field, 'about'>): boolean {
  return about === 'folder' || about === 'tool'
}

/** Reads a variable that a line sets. All but a few are a doubt: nearly any may change what a program does. */
import { isHarmless } from '../commands/harmless-variables.ts'
import type { WordYield } from '../commands/readers.ts'
import { makeDoubt, type Scope, spanOf } from '../commands/scope.ts'
import type { Assignment } from '../parse/parse.ts'
import { readWord } from './read-word.ts'

export function readAssignment(node: Assignment, scope: Scope, yielded: WordYield): void {
  if (node.index !== undefined) readWord(node.index, scope, yielded)
  if (node.value.type === 'ArrayValue') {
    for (const element of node.value.elements) readWord(element, scope, yielded)
  } else {
    const word = readWord(node.value, scope, yielded)
    const plain = node.index === undefined && node.append !== true && !word.pattern
    if (plain && word.value !== undefined && isHarmless(node.name, word.value)) return
  }
  const span = spanOf(scope, { start: node.pos, end: node.end })
  yielded.doubts.push(
    makeDoubt('assignment', node.text, 'sets a variable that may change what a program does', span),
  )
}

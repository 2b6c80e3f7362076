/** Reads a variable that a line sets. All but a few are a doubt: nearly any may change what a program does. */
import { codeOf } from '../commands/code-variables.ts'
import { isHarmless } from '../commands/harmless-variables.ts'
import type { WordYield } from '../commands/readers.ts'
import { makeDoubt, type Scope, spanOf } from '../commands/scope.ts'
import { type Assignment, parseShell } from '../parse/parse.ts'
import { readWord } from './read-word.ts'

export function readAssignment(node: Assignment, scope: Scope, yielded: WordYield): void {
  const span = spanOf(scope, { start: node.pos, end: node.end })
  if (node.index !== undefined) readWord(node.index, scope, yielded)
  if (node.value.type === 'ArrayValue') {
    for (const element of node.value.elements) readWord(element, scope, yielded)
  } else {
    const word = readWord(node.value, scope, yielded)
    const { script, doubt } = codeOf(node.name, word.pattern ? undefined : word.value, node.text)
    if (script !== undefined)
      yielded.scripts.push({
        script: { ...parseShell(script, scope.budget), source: script },
        span: { start: node.pos, end: node.end },
      })
    if (doubt !== undefined) yielded.doubts.push(makeDoubt(doubt.kind, node.text, doubt.why, span))
    const plain = node.index === undefined && node.append !== true && !word.pattern
    if (plain && word.value !== undefined && isHarmless(node.name, word.value)) return
  }
  yielded.doubts.push(makeDoubt('assignment', node.text, 'part.variable', span))
}

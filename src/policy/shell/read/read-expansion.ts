/**
 * Expansions that do more than put in a value. A shell takes the text of a variable for code when it is arithmetic
 * (`a[$(rm x)]` runs `rm`), when it is a subscript, when it is a prompt (`${v@P}`) or a name (`${!v}`): each is a
 * doubt unless everything in it is a number.
 */

import { makeDoubt, type Scope, spanOf } from '../commands/scope.ts'
import type { ArithmeticExpression, ParameterExpansionPart, Word } from '../parse/parse.ts'
import type { ShellWord } from '../reading.ts'
import { readLooseParts, readWord, type WordYield } from './read-word.ts'

const NUMBER = /^\s*[+-]?(\d+|0[xX][0-9a-fA-F]+)\s*$/

/** A word that is a number whatever happens: `5`, `$#`, `$?`. */
export function isNumber(word: ShellWord): boolean {
  return NUMBER.test(word.value ?? '') || /^"?\$[#?$!]"?$/.test(word.text)
}

export function readParameter(part: ParameterExpansionPart, scope: Scope, brought: WordYield): void {
  if (part.prefix === '!')
    doubt(part, 'is the value of a variable whose name is known only when the line runs')
  if (part.index !== undefined && !/^[@*]$/.test(part.index.text)) {
    readWord(part.index, scope, brought)
    if (!NUMBER.test(part.index.text)) doubt(part, 'has a subscript that a shell takes for code')
  }
  const operation = part.operation
  switch (operation?.type) {
    case undefined:
      return
    case 'Default':
      readWord(operation.operand, scope, brought)
      if (operation.operator.includes('='))
        brought.doubts.push(makeDoubt('assignment', part.text, 'sets a variable', span()))
      return
    case 'Remove':
      readWord(operation.operand, scope, brought)
      return
    case 'Replace':
      readWord(operation.pattern, scope, brought)
      readWord(operation.replacement, scope, brought)
      return
    case 'Slice':
      readNumber(operation.offset)
      if (operation.length !== undefined) readNumber(operation.length)
      return
    case 'CaseModification':
      if (operation.operand !== undefined) readWord(operation.operand, scope, brought)
      return
    case 'Names':
      return
    case 'Transform':
      readWord(operation.operand, scope, brought)
      doubt(part, 'is an expansion that may run its value as code')
      return
    default:
      doubt(part, 'is an expansion that is not understood')
  }

  function readNumber(word: Word): void {
    readWord(word, scope, brought)
    if (!NUMBER.test(word.text)) doubt(part, 'has arithmetic on a text known only when the line runs')
  }

  function doubt(about: { text: string }, why: string): void {
    brought.doubts.push(makeDoubt('expansion', about.text, why, span()))
  }

  function span() {
    return spanOf(scope, { start: part.pos, end: part.end })
  }
}

export function readArithmetic(expression: ArithmeticExpression, scope: Scope, brought: WordYield): void {
  const open: ArithmeticExpression[] = [expression]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    switch (node.type) {
      case 'ArithmeticBinary':
        open.push(node.right, node.left)
        break
      case 'ArithmeticUnary':
        open.push(node.operand)
        break
      case 'ArithmeticTernary':
        open.push(node.alternate, node.consequent, node.test)
        break
      case 'ArithmeticGroup':
        open.push(node.expression)
        break
      case 'ArithmeticWord':
        if (node.parts !== undefined) readLooseParts(node.parts, scope, brought)
        if (!NUMBER.test(node.value)) doubtArithmetic(node.value, node, scope, brought)
        break
      case 'ArithmeticCommandExpansion':
        if (node.script !== undefined)
          brought.scripts.push({ script: node.script, span: { start: node.pos, end: node.end } })
        doubtArithmetic(node.text, node, scope, brought)
        break
    }
  }
}

function doubtArithmetic(
  text: string,
  at: { pos: number; end: number },
  scope: Scope,
  brought: WordYield,
): void {
  const span = spanOf(scope, { start: at.pos, end: at.end })
  brought.doubts.push(makeDoubt('expansion', text, 'is taken for code by arithmetic', span))
}

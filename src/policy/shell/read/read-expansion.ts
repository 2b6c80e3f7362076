/**
 * Expansions that do more than put in a value. A shell takes the text of a variable for code when it is arithmetic
 * (`a[$(rm x)]` runs `rm`), when it is a subscript, when it is a prompt (`${v@P}`) or a name (`${!v}`): each is a
 * doubt unless everything in it is a number.
 */

import type { WordYield } from '../commands/readers.ts'
import { makeDoubt, type Scope, spanOf } from '../commands/scope.ts'
import type { DoubtCode } from '../commands/why-doubted.ts'
import { NUMBER } from '../commands/word-values.ts'
import type { ArithmeticExpression, ParameterExpansionPart, Word } from '../parse/parse.ts'

export function readParameter(part: ParameterExpansionPart, scope: Scope, yielded: WordYield): void {
  if (part.prefix === '!') doubt(part, 'part.expansion')
  if (part.index !== undefined && !/^[@*]$/.test(part.index.text)) {
    scope.readers.readWord(part.index, scope, yielded)
    if (!NUMBER.test(part.index.text)) doubt(part, 'part.expansion')
  }
  const operation = part.operation
  switch (operation?.type) {
    case undefined:
      return
    case 'Default':
      scope.readers.readWord(operation.operand, scope, yielded)
      if (operation.operator.includes('='))
        yielded.doubts.push(makeDoubt('assignment', part.text, 'part.variable', span()))
      return
    case 'Remove':
      scope.readers.readWord(operation.operand, scope, yielded)
      return
    case 'Replace':
      scope.readers.readWord(operation.pattern, scope, yielded)
      scope.readers.readWord(operation.replacement, scope, yielded)
      return
    case 'Slice':
      readNumber(operation.offset)
      if (operation.length !== undefined) readNumber(operation.length)
      return
    case 'CaseModification':
      if (operation.operand !== undefined) scope.readers.readWord(operation.operand, scope, yielded)
      return
    case 'Names':
      return
    case 'Transform':
      scope.readers.readWord(operation.operand, scope, yielded)
      doubt(part, 'part.expansion')
      return
    default:
      doubt(part, 'part.expansion')
  }

  function readNumber(word: Word): void {
    scope.readers.readWord(word, scope, yielded)
    if (!NUMBER.test(word.text)) doubt(part, 'part.arithmetic')
  }

  function doubt(about: { text: string }, why: DoubtCode): void {
    yielded.doubts.push(makeDoubt('expansion', about.text, why, span()))
  }

  function span() {
    return spanOf(scope, { start: part.pos, end: part.end })
  }
}

export function readArithmetic(expression: ArithmeticExpression, scope: Scope, yielded: WordYield): void {
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
        if (node.parts !== undefined) scope.readers.readLooseParts(node.parts, scope, yielded)
        if (!NUMBER.test(node.value)) doubtArithmetic(node.value, node, scope, yielded)
        break
      case 'ArithmeticCommandExpansion':
        if (node.script !== undefined)
          yielded.scripts.push({ script: node.script, span: { start: node.pos, end: node.end } })
        doubtArithmetic(node.text, node, scope, yielded)
        break
    }
  }
}

function doubtArithmetic(
  text: string,
  at: { pos: number; end: number },
  scope: Scope,
  yielded: WordYield,
): void {
  const span = spanOf(scope, { start: at.pos, end: at.end })
  yielded.doubts.push(makeDoubt('expansion', text, 'part.arithmetic', span))
}

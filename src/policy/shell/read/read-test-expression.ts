/**
 * Reads `[[ … ]]`. It runs nothing by itself, but takes numbers and names for code, and a shell that does not know it
 * takes what stands inside for words, pipes and redirections.
 */

import type { WordYield } from '../commands/readers.ts'
import { makeDoubt, type Scope, spanOf } from '../commands/scope.ts'
import { hasSecret, isPattern, tellsPart } from '../commands/told-variables.ts'
import type { DoubtCode } from '../commands/why-doubted.ts'
import { isNumber } from '../commands/word-values.ts'
import type { TestExpression, Word } from '../parse/parse.ts'
import { readWord } from './read-word.ts'

const ARITHMETIC = /^-(eq|ne|lt|le|gt|ge)$/

export function readTest(expression: TestExpression, scope: Scope, yielded: WordYield): void {
  const open: TestExpression[] = [expression]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    switch (node.type) {
      case 'TestUnary': {
        const word = readWord(node.operand, scope, yielded)
        if (tellsPart(node.operand.text)) scope.tells.push(node.operand.text)
        if (/^-[vR]$/.test(node.operator) && !/^\w+$/.test(word.value ?? '')) doubt(node.operand, 'part.code')
        break
      }
      case 'TestBinary': {
        const { left, right, operator } = node
        const isPart = operator === '=~' || isPattern(right.text)
        if ((isPart && hasSecret(left.text, scope.loops)) || tellsPart(left.text) || tellsPart(right.text))
          scope.tells.push(left.text)
        for (const operand of [node.left, node.right]) {
          const word = readWord(operand, scope, yielded)
          if (ARITHMETIC.test(node.operator) && !isNumber(word)) doubt(operand, 'part.arithmetic')
        }
        if (/^[<>]$/.test(node.operator) || hasOperator(node.right)) doubtAll(node)
        break
      }
      case 'TestNot':
        open.push(node.operand)
        break
      case 'TestLogical':
        doubtAll(node)
        for (const operand of node.operands) open.push(operand)
        break
      case 'TestGroup':
        doubtAll(node)
        open.push(node.expression)
        break
    }
  }

  function doubtAll(node: TestExpression): void {
    doubt({ ...node, text: scope.source.slice(node.pos, node.end) }, 'part.shells-differ')
  }

  function doubt(about: { pos: number; end: number; text: string }, why: DoubtCode): void {
    const span = spanOf(scope, { start: about.pos, end: about.end })
    yielded.doubts.push(makeDoubt('expansion', about.text, why, span))
  }
}

/** In `=~ a|b` and in patterns. */
function hasOperator(word: Word): boolean {
  const bare = (word.parts ?? [word]).filter(
    (part) => !('type' in part) || part.type === 'Literal' || part.type === 'Word',
  )
  return bare.some((part) => /[|&;<>()]/.test(part.text.replace(/\\./gs, '')))
}

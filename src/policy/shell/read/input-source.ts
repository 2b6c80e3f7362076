/** Whether a command's input is fixed by the line: a text, a file, nothing, or what another command writes into a pipe. */
import type { RedirectionNode } from '../parse/parse.ts'
import type { InputSource } from '../reading.ts'

export const FROM_PIPE: InputSource = { kind: 'input', from: 'given' }
const GIVEN: InputSource = { kind: 'input', from: 'given' }
const OF_LINE: InputSource = { kind: 'input', from: 'line' }

/** Undefined: it is not about the input. What is known only when the line runs may be the terminal. */
export function inputSource(node: RedirectionNode): InputSource | undefined {
  if (node.descriptor !== undefined && !isInput(node.descriptor)) return undefined
  if (node.type !== 'Redirect') return GIVEN
  if (node.operator !== '<' && node.operator !== '<&' && node.operator !== '<>') return undefined
  const text = node.target?.text ?? ''
  if (node.operator === '<&') return text === '-' ? GIVEN : OF_LINE
  if (/^<\(/.test(text)) return GIVEN
  const isKnown = text !== '' && !/[$`*?[\]{}\\~]/.test(text.replace(/^~(?=\/)/, ''))
  const file = text.replace(/["']/g, '').replace(/\/+/g, '/')
  return isKnown && (file === '/dev/null' || !MAY_BE_TERMINAL.test(file)) ? GIVEN : OF_LINE
}

/** By its folder, or by a name that is one in a folder that the line has gone to. */
const MAY_BE_TERMINAL = /(?:^|\/)(?:dev|proc)\/|(?:^|\/)(?:tty\w*|pts|ptmx|stdin|console|\d+)$/

function isInput(descriptor: NonNullable<RedirectionNode['descriptor']>): boolean {
  return descriptor.type === 'FileDescriptor' && Number(descriptor.value) === 0
}

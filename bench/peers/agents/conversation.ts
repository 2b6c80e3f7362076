/**
 * The conversation of the comparison: a person asks for the sum of the first so many numbers, the model calls the same
 * small tool once a step with the result of the step before, and says the sum at the end. The model is a function of the
 * conversation and answers at once, in every contestant, so what is left is the loop.
 */
export interface AgentLoop {
  name: string
  /** One whole conversation of so many calls, a new one each time. */
  converse(calls: number): Promise<Conversed>
  /** Resolves when all that nobody waited for is written. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface Conversed {
  answer: string
  /** How often the tool ran. */
  ran: number
  /** How often somebody was asked before. */
  asked: number
}

export type Move =
  | { kind: 'call'; said: string; arguments: { a: number; b: number } }
  | { kind: 'answer'; said: string }

export const TOOL = 'add'
export const DESCRIPTION = 'Adds two numbers.'
export const INSTRUCTIONS = 'You add numbers with the tool, one after the other.'
/** As long as any conversation here, with room. */
export const MAX_STEPS = 100

export function wordsFor(calls: number): string {
  return `What is the sum of the first ${calls} numbers?`
}

/** What the model does, by what it was asked and what its calls have given so far. */
export function nextMove(words: string, results: readonly string[]): Move {
  const calls = Number(/\d+/.exec(words)?.[0])
  const sum = Number(results.at(-1) ?? 0)
  if (results.length >= calls) return { kind: 'answer', said: `The sum is ${sum}.` }
  const b = results.length + 1
  return { kind: 'call', said: `I add ${b} to ${sum}.`, arguments: { a: sum, b } }
}

export function answerFor(calls: number): string {
  return `The sum is ${(calls * (calls + 1)) / 2}.`
}

/** What a model of the AI SDK is given and gives, for the AI SDK itself and for Mastra. */
import type { Turn } from 'banksman/testing'
import { type Place, TOOL } from '../contestant.ts'

export function sdkTurns({ turns }: Place): Turn[] {
  return turns.map((turn) =>
    typeof turn === 'string' ? turn : turn.map(({ id, to }) => ({ id, tool: TOOL, args: { to } })),
  )
}

interface ToolPart {
  type: string
  toolCallId: string
  output: unknown
}

/** The results in a prompt, by the id of their call. */
export function sdkResults(prompt: { role: string; content: unknown }[]): Record<string, string> {
  const parts = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content as ToolPart[])
  const results = parts.filter(({ type }) => type === 'tool-result')
  return Object.fromEntries(results.map(({ toolCallId, output }) => [toolCallId, JSON.stringify(output)]))
}

/** A model of the AI SDK that follows a script, for its test doubles of either version. */
import type { Turn } from '../../src/testing/adapter-suite.ts'

/** `ai/test`, of either version. */
export interface SdkModels {
  MockLanguageModelV4?: Mock
  MockLanguageModelV3?: Mock
}

// biome-ignore lint/suspicious/noExplicitAny: the classes of the two versions have no type in common.
type Mock = new (...parts: any[]) => any

type Prompt = { role: string; content: unknown }[]

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export function createScriptedSdkModel(
  { simulateReadableStream }: Pick<typeof import('ai'), 'simulateReadableStream'>,
  models: SdkModels,
  turns: Turn[],
  onPrompt: (prompt: Prompt) => void = () => {},
) {
  const prompts: Prompt[] = []

  function next({ prompt }: { prompt: Prompt }) {
    prompts.push(structuredClone(prompt))
    onPrompt(prompt)
    const turn = turns[prompt.filter(({ role }) => role === 'assistant').length] ?? 'the script is over'
    const content =
      typeof turn === 'string'
        ? [{ type: 'text', text: turn }]
        : turn.map(({ id, tool, args }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: tool,
            input: JSON.stringify(args),
          }))
    return {
      content,
      finishReason: { unified: typeof turn === 'string' ? 'stop' : 'tool-calls', raw: undefined },
    }
  }

  const Double = (models.MockLanguageModelV4 ?? models.MockLanguageModelV3)!
  const model = new Double({
    doGenerate: async (options: { prompt: Prompt }) => ({ ...next(options), usage: USAGE, warnings: [] }),
    async doStream(options: { prompt: Prompt }) {
      const { content, finishReason } = next(options)
      const chunks: object[] = [{ type: 'stream-start', warnings: [] }]
      for (const [index, part] of content.entries()) {
        const id = String(index)
        if ('text' in part)
          chunks.push(
            { type: 'text-start', id },
            { type: 'text-delta', id, delta: part.text },
            { type: 'text-end', id },
          )
        else chunks.push(part)
      }
      chunks.push({ type: 'finish', finishReason, usage: USAGE })
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) }
    },
  })
  return { model, prompts }
}

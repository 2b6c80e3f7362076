/** The engines that agents under `agents:` can have. */
import { z } from 'zod'
import { claudeRegistration } from './claude-registration.ts'
import type { ConfiguredAgent, EngineRegistration } from './engine-registration.ts'
import { loopRegistration } from './loop-registration.ts'

export const ENGINES: readonly [EngineRegistration, ...EngineRegistration[]] = [
  loopRegistration,
  claudeRegistration,
]

const kinds = ENGINES.map(({ kind }) => kind).join(', ')

/** One agent under `agents:`. */
export const engineAgentSchema = z.discriminatedUnion(
  'engine',
  [ENGINES[0].schema, ...ENGINES.slice(1).map(({ schema }) => schema)],
  { error: `must be one of these engines: ${kinds}` },
)

export function readAgent(
  block: z.infer<typeof engineAgentSchema>,
  source: { name: string; folder: string; place: string },
): ConfiguredAgent {
  return engineOf(block.engine).read(block, source)
}

export function engineOf(kind: string): EngineRegistration {
  const found = ENGINES.find((each) => each.kind === kind)
  if (found === undefined) throw new Error(`there is no engine ${kind}; there are: ${kinds}`)
  return found
}

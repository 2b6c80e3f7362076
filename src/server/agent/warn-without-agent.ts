import type { Configuration } from '../configuration/configuration.ts'

/** Says what is configured for an agent that isn't there. */
export function warnWithoutAgent({ talk }: Configuration, say: (line: string) => void): void {
  if (talk.hooks.processes.length === 0) return
  say(
    `hooks: is configured, and there is no agent for it: name a model, as in agent: { model: { provider: anthropic, model: … } }, or set ANTHROPIC_API_KEY or OPENAI_BASE_URL`,
  )
}

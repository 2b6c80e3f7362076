import { isTerminated } from '../call-refused.ts'

/**
 * A stop condition: a person has ended the session. Without it the SDK makes a tool error of that and calls the model again.
 * `stopWhen: [isStepCount(20), sessionEnded]`.
 */
export function sessionEnded({ steps }: { steps: readonly { content: readonly object[] }[] }): boolean {
  return steps.some(({ content }) =>
    content.some((part) => {
      const { type, error } = part as { type?: string; error?: unknown }
      return type === 'tool-error' && isTerminated(error)
    }),
  )
}

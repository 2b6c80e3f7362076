/** Whether the SDK goes on with a call that it has paused for. */

/**
 * The SDK asks again when it goes on, and version 6 does not run a call that needs no approval any more. Then the answer is the same
 * as before, and the guard says the rest when the call is run. What the messages say is not trusted: it only leads there.
 */
export function isResumed(messages: readonly unknown[] | undefined, toolCallId: string): boolean {
  // Ids of calls may come again in later turns; the responses to act on stand in the last message.
  const answered = new Set(
    partsOf(messages?.at(-1), 'tool-approval-response').map(({ approvalId }) => approvalId),
  )
  return (messages ?? []).some((message) =>
    partsOf(message, 'tool-approval-request').some(
      (part) => part.toolCallId === toolCallId && answered.has(part.approvalId),
    ),
  )
}

function partsOf(message: unknown, type: string): { approvalId?: unknown; toolCallId?: unknown }[] {
  const { content } = (message ?? {}) as { content?: unknown }
  return Array.isArray(content) ? content.filter((part) => part?.type === type) : []
}

/**
 * How long each client waits for the answer to a call, less a margin for the tool itself. Progress moves the limit of few, so it is sent to
 * all but counted on for none but those. `--hold` says otherwise.
 */

export interface ClientLimit {
  holdMs: number
  /** Only while progress comes. */
  needsProgress?: true
}

/** By what the client calls itself, in lower case. */
const CLIENTS: readonly (readonly [RegExp, ClientLimit])[] = [
  // Thirty minutes of silence.
  [/^claude-code/, { holdMs: 25 * 60_000 }],
  [/^codex/, { holdMs: 280_000 }],
  [/^gemini-cli/, { holdMs: 570_000 }],
  // A minute, and progress starts it anew.
  [/^opencode/, { holdMs: 24 * 3_600_000, needsProgress: true }],
  // Ends with the chat.
  [/^visual studio code/, { holdMs: 3_600_000 }],
]

/** The clients of the official libraries wait a minute. */
const UNKNOWN: ClientLimit = { holdMs: 50_000 }

/** `takesProgress`: the call has a token for it. */
export function limitOf(clientName: string | undefined, takesProgress: boolean): ClientLimit {
  const name = clientName?.toLowerCase() ?? ''
  const limit = CLIENTS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN
  return limit.needsProgress === true && !takesProgress ? UNKNOWN : limit
}

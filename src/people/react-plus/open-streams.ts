/** The streams that are open in this process, by session, so that they can be told to look at a request again. */
export interface OpenStreams {
  add(session: string, look: (request: string) => void): { remove(): void }
  /** It was decided, or is not any more what was shown. */
  look(session: string, request: string): void
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<string, Set<(request: string) => void>>()
  return {
    add(session, look) {
      const streams = open.get(session) ?? new Set()
      open.set(session, streams)
      streams.add(look)
      return {
        remove() {
          streams.delete(look)
          if (streams.size === 0 && open.get(session) === streams) open.delete(session)
        },
      }
    },
    look(session, request) {
      for (const look of open.get(session) ?? []) look(request)
    },
  }
}

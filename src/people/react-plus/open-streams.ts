/** The streams that are open in this process, by session, so that they hear of answers. */
export interface OpenStreams {
  add(session: string, stream: OpenStream): { remove(): void }
  /** The request was decided, or is not any more what was shown. */
  look(session: string, request: string): void
  /** Somebody has answered something: their page shows nothing now, whatever became of the answer. */
  answered(session: string): void
}

export interface OpenStream {
  look(request: string): void
  answered(): void
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<string, Set<OpenStream>>()
  return {
    add(session, stream) {
      const streams = open.get(session) ?? new Set()
      open.set(session, streams)
      streams.add(stream)
      return {
        remove() {
          streams.delete(stream)
          if (streams.size === 0 && open.get(session) === streams) open.delete(session)
        },
      }
    },
    look(session, request) {
      for (const stream of open.get(session) ?? []) stream.look(request)
    },
    answered(session) {
      for (const stream of open.get(session) ?? []) stream.answered()
    },
  }
}

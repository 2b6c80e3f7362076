/** Written by `npm run generate:wire` from src/wire/mcp.ts; don't edit. */
// biome-ignore-all format: written by a program

export interface WireMcpOutcomes {
  /** In the same order; with a code where it could not be recorded. */
  outcomes: { code?: string; detail?: string }[]
}

export interface WireMcpTools {
  /** Those that the policy denies by name. A client needn’t be offered them. */
  hidden: string[]
}

/** An MCP server in a client's file that isn't behind Banksman, or may not be. */
export interface WireMcpGap {
  /** How people call the client. */
  client: string
  /** The server, as the file calls it. */
  key: string
  file: string
  /**
   * lost: it was behind Banksman, and the client starts it without. changed: the proxy in front of it is not
   * as it was set up. unwrapped: it never was behind Banksman, and others of this client are. unknown: the
   * file can’t be read.
   */
  state: 'lost' | 'changed' | 'unwrapped' | 'unknown'
  /** Puts it behind Banksman, on the machine of the server. */
  command: string
}

export interface WireMcpServers {
  /**
   * For admins: what the files of MCP clients say, those of the user that the server runs as. Looked at twice
   * a minute at most.
   */
  gaps?: WireMcpGap[]
  /** For admins: why those files could not be looked at. */
  gapsUnknown?: string
  items: {
    name: string
    program: {
      digest: string
      /** For people; secrets are masked. Absent where it is too long to keep. */
      text?: string
      at: string
      /** What it is now. Each call needs approval until an admin accepts it. */
      changed?: {
        digest: string
        /** For people; secrets are masked. Absent where it is too long to keep. */
        text?: string
        at: string
      }
    }
    tools: {
      name: string
      digest: string
      /** For people; secrets are masked. Absent where it is too long to keep. */
      text?: string
      at: string
      /** What it is now. Each call needs approval until an admin accepts it. */
      changed?: {
        digest: string
        /** For people; secrets are masked. Absent where it is too long to keep. */
        text?: string
        at: string
      }
    }[]
  }[]
}

export interface WireMcpState {
  requestState: string
}

export interface WireMcpStateUsed {
  callId: string
  rounds: number
  /** The MCP server's own state, which goes back to it. */
  inner?: string
}

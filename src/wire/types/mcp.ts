/** Written by `npm run generate:wire` from src/wire/mcp.ts; don't edit. */
// biome-ignore-all format: written by a program

export interface WireMcpTools {
  /** Those that the policy denies by name. A client needn’t be offered them. */
  hidden: string[]
}

export interface WireMcpServers {
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

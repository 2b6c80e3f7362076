/** What the client says of itself: in `initialize` once, since 2026-07-28 in each request. Its own word, so nothing depends on it but its comfort. */
import { asObject, type GatedCall } from './calls/gated-call.ts'
import type { ClientMessage } from './lines/client-message.ts'

export interface ClientFacts {
  note(message: ClientMessage): void
  /** As it calls itself. */
  name(): string | undefined
  /** How the person in front of it can be asked something while this call waits. */
  asking(call: GatedCall): Asking
}

export interface Asking {
  form: boolean
  url: boolean
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

export function createClientFacts(): ClientFacts {
  let name: string | undefined
  let declared: Asking = { form: false, url: false }
  return {
    note({ params, method }) {
      const info = method === 'initialize' ? params.clientInfo : asObject(params._meta)[CLIENT_INFO]
      const { name: called } = asObject(info)
      if (typeof called === 'string') name = called
      if (method === 'initialize') declared = askingOf(params.capabilities)
    },
    name: () => name,
    asking: ({ isModern, message }) =>
      isModern ? askingOf(asObject(message.params._meta)[CLIENT_CAPABILITIES]) : declared,
  }
}

/** Forms came first: a client that names no mode has these. */
function askingOf(capabilities: unknown): Asking {
  const { elicitation } = asObject(capabilities)
  if (elicitation === undefined || elicitation === null) return { form: false, url: false }
  const { form, url } = asObject(elicitation)
  return { form: form !== undefined || url === undefined, url: url !== undefined }
}

/** As the client calls itself: anything, so only what a name may have. */
export function shownName(name: string | undefined): string {
  const shown =
    name
      ?.replace(/[^\w.@ -]/g, '')
      .trim()
      .slice(0, 64) ?? ''
  return shown === '' ? 'an MCP client' : shown
}

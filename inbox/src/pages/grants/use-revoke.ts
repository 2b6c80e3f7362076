/** Takes a grant back. What the page shows follows at once; should the server refuse, it shows the grant again, and why. */
import { useState } from 'preact/hooks'
import { ClientError, isClientError, type WireGrant } from '../../../../src/client/index.ts'
import type { Loaded } from '../../components/use-loaded.ts'
import { useInbox } from '../../context/context.ts'

export interface Revoking {
  revoke(grant: WireGrant): Promise<void>
  /** By the id of the grant. */
  revoking: ReadonlySet<string>
  failures: ReadonlyMap<string, ClientError>
}

export function useRevoke(ledger: Loaded<{ items: WireGrant[]; cursor?: string }>): Revoking {
  const { client, identity, leave } = useInbox()
  const [revoking, setRevoking] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<ReadonlyMap<string, ClientError>>(new Map())

  async function revoke({ id }: WireGrant): Promise<void> {
    setRevoking((before) => new Set(before).add(id))
    setFailures((before) => without(before, id))
    try {
      await client.revokeGrant(id)
      const revoked = { at: new Date().toISOString(), by: identity.subject }
      const { value } = ledger
      if (value !== undefined) {
        const items = value.items.map((grant) => (grant.id === id ? { revoked, ...grant } : grant))
        ledger.put({ ...value, items })
      }
      ledger.again()
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      if (isClientError(error, 'unauthenticated')) return leave(error)
      setFailures((before) => new Map(before).set(id, error))
    } finally {
      setRevoking((before) => new Set([...before].filter((each) => each !== id)))
    }
  }
  return { revoke, revoking, failures }
}

function without<T>(map: ReadonlyMap<string, T>, id: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([each]) => each !== id))
}

import { useState } from 'preact/hooks'
import {
  ClientError,
  isClientError,
  type JsonObject,
  type WireRequest,
} from '../../../../src/client/index.ts'
import { useInbox } from '../../context/context.ts'

/** The arguments of a request without masks, once somebody asks for them: every reading is put on the record (P9). */
export function useReveal({ id }: WireRequest) {
  const { client, leave } = useInbox()
  const [bare, setBare] = useState<JsonObject>()
  const [error, setError] = useState<ClientError>()
  const [isAsking, setAsking] = useState(false)
  const reveal = async () => {
    setAsking(true)
    try {
      setBare((await client.reveal(id)).arguments)
      setError(undefined)
    } catch (caught) {
      if (!(caught instanceof ClientError)) throw caught
      if (isClientError(caught, 'unauthenticated')) leave(caught)
      else setError(caught)
    } finally {
      setAsking(false)
    }
  }
  return { bare, error, isAsking, reveal }
}

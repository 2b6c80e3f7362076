/** A whole server with coding sessions that follow a script. */
import { SECRETARY, writeCoder } from './coding-sessions.ts'
import { type FullServer, openFullServer } from './full-server.ts'

export const PEOPLE = `roots: [.]
people:
  ana: { groups: [approvers] }
  ben: { groups: [approvers] }
policy: { extends: "banksman:starter" }
`

export function openCodingServer(configuration = PEOPLE + SECRETARY): Promise<FullServer> {
  return openFullServer({ configuration, before: async (_, shop) => writeCoder(shop) })
}

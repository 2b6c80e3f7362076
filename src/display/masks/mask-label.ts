/** Why a value is hidden, as its mask says it. Also for masks as they go over the wire. */

/** Nothing there has the name, so that it would be no reason to a reader. */
export const CONNECTION_PASSWORD = 'password of a connection string'

export function maskLabel({ kind, name }: { kind: string; name?: string }): string {
  return name === undefined || kind === CONNECTION_PASSWORD ? kind : `hidden because of its name "${name}"`
}

/** Looks tokens up by their secrets or hashes. Only live ones of this namespace count. */
import { digestOf } from '../../core/digest.ts'
import type { Store, Token } from '../../stores/store.ts'

export interface FindTokens {
  bySecret(secret: string, use: Token['use']): Promise<Token | undefined>
  /** A cookie is worth as much as the key that it came with. */
  cookie(secretHash: string): Promise<Token | undefined>
  /** Whether a credential that was known is so still. */
  isValid(token: Token): Promise<boolean>
}

export function createFindTokens(store: Pick<Store, 'now' | 'tokens'>, namespace: string): FindTokens {
  async function findByHash(secretHash: string, use: Token['use']): Promise<Token | undefined> {
    const token = await store.tokens.find(secretHash)
    if (token === undefined || token.use !== use || token.namespace !== namespace) return undefined
    return isLive(token, store.now()) ? token : undefined
  }

  async function findCookie(secretHash: string): Promise<Token | undefined> {
    const cookie = await findByHash(secretHash, 'cookie')
    if (cookie?.keyHash === undefined || cookie.role === 'agent') return undefined
    const key = await findByHash(cookie.keyHash, 'bearer')
    return key?.subject === cookie.subject && key.role === cookie.role ? cookie : undefined
  }

  return {
    bySecret: (secret, use) => findByHash(digestOf(secret), use),
    cookie: findCookie,
    async isValid({ id, use, secretHash }) {
      const found = use === 'cookie' ? await findCookie(secretHash) : await findByHash(secretHash, use)
      return found?.id === id
    },
  }
}

export function isLive({ revokedAt, expiresAt }: Token, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now)
}

/** Written by `npm run generate:wire` from src/wire/chat.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { LinkingRefusal, LinkingState } from '../../core/support/account-linking.ts'
import type { QuietHours } from '../../core/time/quiet-hours.ts'

export interface ChatAccountInput {
  /** The workspace or app that the account belongs to; empty where the service has none. */
  tenant: string
  /** The service's own id of the account. */
  account: string
}

export interface WireChatAccount {
  /** The workspace or app that the account belongs to; empty where the service has none. */
  tenant: string
  /** The service's own id of the account. */
  account: string
  /**
   * What the service shows as its name. Its owner chooses it, so it proves nothing. Characters that hide are
   * written out.
   */
  name?: string
  /** Whose it is. */
  subject: string
  /** Only a link can be undone here. */
  from: 'configuration' | 'link'
}

/** A chat service that this server is set up for. */
export interface WireChat {
  service: string
  /** What the service calls our bot. */
  bot?: string
  /** What the service calls the workspace. */
  workspace?: string
  /** Opens a private chat with the bot. */
  address?: string
  /** What went wrong when the service was asked for that just now. */
  fault?: string
  /** Whether a plain y or n in a private chat can be an answer. */
  textAnswers: boolean
  /** Your own; with all, which is for the role admin, those of everybody. */
  accounts: WireChatAccount[]
}

/** A code to be sent to the bot. It is shown this once. */
export interface WireNewLink {
  id: string
  service: string
  /** For the code; once it was sent, for the confirmation. */
  expiresAt: string
  code: string
  /** What the service calls our bot. */
  bot?: string
  /** Opens a private chat with the bot, with the code filled in where the service can do that. */
  url?: string
  /** Whether the address fills in the code. */
  carriesCode: boolean
}

/** A link that is being made. */
export interface WireLink {
  id: string
  service: string
  /** For the code; once it was sent, for the confirmation. */
  expiresAt: string
  /** claimed: an account has sent the code, and you have not confirmed it yet. */
  state: LinkingState
  /** Who sent the code. */
  account?: {
    /** The workspace or app that the account belongs to; empty where the service has none. */
    tenant: string
    /** The service's own id of the account. */
    account: string
    /**
     * What the service shows as its name. Its owner chooses it, so it proves nothing. Characters that hide
     * are written out.
     */
    name?: string
  }
  /**
   * Why it is refused. account_taken: the account is somebody else's. account_yours: it is linked to you
   * already. has_account: you have another one at this service. seen_by_others: the code was sent in a group.
   * cancelled: you took it back.
   */
  because?: LinkingRefusal
}

/** A test card. It decides nothing. */
export interface WireChatTest {
  id: string
  service: string
  state: 'sent' | 'clicked' | 'failed'
  /** Why it could not be sent. */
  fault?: string
  /** Who clicked it. */
  clicked?: {
    /** The workspace or app that the account belongs to; empty where the service has none. */
    tenant: string
    /** The service's own id of the account. */
    account: string
    /** As whom the click counts. Absent: the account is linked to nobody. */
    person?: string
    at: string
  }
}

/** When chats do not disturb you. */
export interface WireQuietHours {
  /** Absent: chats may always disturb you. */
  hours?: QuietHours
  /** person: you have set them, and they win over those of the configuration. */
  from?: 'configuration' | 'person'
}

/** Chats: what people see of them in their settings, and how they link their accounts there. */
import { z } from 'zod'
import { LINKING_REFUSALS, LINKING_STATES } from '../core/support/account-linking.ts'
import { object, ofCore, optional, strictObject } from './named.ts'
import { quietHours } from './push.ts'
import { time } from './values.ts'

const accountParts = {
  tenant: z
    .string()
    .describe('The workspace or app that the account belongs to; empty where the service has none.'),
  account: z.string().describe("The service's own id of the account."),
}

const accountName = optional(
  z.string(),
  'What the service shows as its name. Its owner chooses it, so it proves nothing. Characters that hide are written out.',
)

export const accountBody = strictObject('ChatAccountInput', accountParts)

export const chatAccount = object('WireChatAccount', {
  ...accountParts,
  name: accountName,
  subject: z.string().describe('Whose it is.'),
  from: z.enum(['configuration', 'link']).describe('Only a link can be undone here.'),
})

export const chat = object('WireChat', 'A chat service that this server is set up for.', {
  service: z.string(),
  bot: optional(z.string(), 'What the service calls our bot.'),
  workspace: optional(z.string(), 'What the service calls the workspace.'),
  address: optional(z.string(), 'Opens a private chat with the bot.'),
  fault: optional(z.string(), 'What went wrong when the service was asked for that just now.'),
  textAnswers: z.boolean().describe('Whether a plain y or n in a private chat can be an answer.'),
  accounts: z
    .array(chatAccount)
    .describe('Your own; with all, which is for the role admin, those of everybody.'),
})

export const chatList = z.object({ items: z.array(chat) })

export const chatsQuery = z.strictObject({
  all: z.literal('true').exactOptional().describe('The accounts of everybody, for the role admin.'),
})

const linkParts = {
  id: z.string(),
  service: z.string(),
  expiresAt: time.describe('For the code; once it was sent, for the confirmation.'),
}

export const newLink = object('WireNewLink', 'A code to be sent to the bot. It is shown this once.', {
  ...linkParts,
  code: z.string(),
  bot: optional(z.string(), 'What the service calls our bot.'),
  url: optional(
    z.string(),
    'Opens a private chat with the bot, with the code filled in where the service can do that.',
  ),
  carriesCode: z.boolean().describe('Whether the address fills in the code.'),
})

export const link = object('WireLink', 'A link that is being made.', {
  ...linkParts,
  state: ofCore('LinkingState', 'support/account-linking.ts', z.enum(LINKING_STATES)).describe(
    'claimed: an account has sent the code, and you have not confirmed it yet.',
  ),
  account: optional(z.object({ ...accountParts, name: accountName }), 'Who sent the code.'),
  because: optional(
    ofCore('LinkingRefusal', 'support/account-linking.ts', z.enum(LINKING_REFUSALS)),
    "Why it is refused. account_taken: the account is somebody else's. account_yours: it is linked to you already. has_account: you have another one at this service. seen_by_others: the code was sent in a group. cancelled: you took it back.",
  ),
})

export const chatTest = object('WireChatTest', 'A test card. It decides nothing.', {
  id: z.string(),
  service: z.string(),
  state: z.enum(['sent', 'clicked', 'failed']),
  fault: optional(z.string(), 'Why it could not be sent.'),
  clicked: optional(
    z.object({
      ...accountParts,
      person: optional(z.string(), 'As whom the click counts. Absent: the account is linked to nobody.'),
      at: time,
    }),
    'Who clicked it.',
  ),
})

/** On its own: a schema that others refer to is no body. */
export const quietHoursBody = z.strictObject(quietHours.shape)

export const quietHoursState = object('WireQuietHours', 'When chats do not disturb you.', {
  hours: optional(quietHours, 'Absent: chats may always disturb you.'),
  from: optional(
    z.enum(['configuration', 'person']),
    'person: you have set them, and they win over those of the configuration.',
  ),
})

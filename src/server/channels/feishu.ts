/** Feishu or Lark, where `feishu:` is written. The app's secret and the webhook's keys come from the environment. */
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { defineChat } from './channel-registration.ts'
import { chatSchema, readChatOptions, secretsOf } from './chat-options.ts'

export const APP_SECRET = /^[\w-]{16,128}$/
/** Whoever finds it out can sign. What is guessed by trying must not be short. */
const ENCRYPT_KEY = /^[\x21-\x7e]{16,256}$/
const VERIFICATION_TOKEN = /^[\x21-\x7e]{16,256}$/

const CHAT = z
  .string()
  .regex(/^oc_[0-9a-zA-Z]{16,64}$/, 'must be the id of a chat, as in oc_a0553eda9014c201e6969b478895c230')

const DOMAINS: Readonly<Record<string, string>> = {
  feishu: 'https://open.feishu.cn',
  lark: 'https://open.larksuite.com',
}

export const feishu = defineChat({
  key: 'feishu',
  service: {
    name: 'feishu',
    pattern: /^ou_[0-9a-zA-Z]{16,64}$/,
    example: 'ou_7d8a6e6df7621556ce0d21922b676706',
  },
  schema: z.strictObject({
    ...chatSchema(CHAT),
    appId: z
      .string()
      .regex(/^cli_[0-9a-zA-Z]{8,32}$/, 'must be the id of an app, as in cli_a1b2c3d4e5f60718'),
    appSecretEnv: z.string().min(1).default('FEISHU_APP_SECRET'),
    domain: z.string().refine(isDomain, 'must be feishu, lark, or an https: address').default('feishu'),
    tenant: z
      .string()
      .regex(/^\w{1,64}$/, 'must be the key of a tenant, as in 2ed263bf32cf1651')
      .optional(),
    webhook: z.boolean().default(false),
    encryptKeyEnv: z.string().min(1).default('FEISHU_ENCRYPT_KEY'),
    verificationTokenEnv: z.string().min(1).default('FEISHU_VERIFICATION_TOKEN'),
    legacyCards: z.boolean().default(false),
  }),
  read(block) {
    if (block === undefined) return undefined
    const { chat, chats, language, textAnswers, domain, tenant, ...rest } = block
    if (rest.legacyCards && (!rest.webhook || tenant === undefined))
      throw new BanksmanError(
        'invalid_configuration',
        'feishu.legacyCards needs webhook: true, where old callbacks come in, and tenant, which they are checked by',
        { pointer: '/feishu/legacyCards' },
      )
    return {
      ...rest,
      chat: readChatOptions({ chat, chats, language, textAnswers }),
      url: (DOMAINS[domain] ?? domain).replace(/\/$/, ''),
      ...defined({ tenant }),
    }
  },
  async open(options, host) {
    const { createFeishu } = await import('../../people/chats/feishu/feishu.ts')
    const secretIn = secretsOf('feishu', host)
    const { appId, url, tenant, legacyCards: takesLegacyCards } = options
    const webhook = options.webhook
      ? {
          encryptKey: secretIn(
            options.encryptKeyEnv,
            ENCRYPT_KEY,
            'the Encrypt Key of the app, of 16 characters or more (without it nothing that comes in is signed)',
          ),
          verificationToken: secretIn(
            options.verificationTokenEnv,
            VERIFICATION_TOKEN,
            'the verification token of the app',
          ),
          takesLegacyCards,
        }
      : undefined
    return createFeishu({
      appId,
      appSecret: secretIn(options.appSecretEnv, APP_SECRET, 'the secret of the app'),
      url,
      now: host.now,
      ...defined({ tenant, webhook }),
    })
  },
})

/** Without TLS only on this machine. */
function isDomain(text: string): boolean {
  if (Object.hasOwn(DOMAINS, text)) return true
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash, username } = new URL(text)
  if (pathname !== '/' || search !== '' || hash !== '' || username !== '') return false
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(hostname))
  )
}

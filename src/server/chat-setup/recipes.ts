/** How each chat service is set up: what has to be known of it, where in its console that is, and what has to be done there. */
import { APP_SECRET } from '../channels/feishu.ts'
import { TOKEN } from '../channels/telegram.ts'

export interface ChatRecipe {
  /** The key in the configuration, and the service of its accounts. */
  key: string
  title: string
  /** How to come by a bot, for who has none. */
  before: readonly string[]
  questions: readonly SetupQuestion[]
  secret: SetupSecret
  /** What is to be done in the console while we are connected. */
  meanwhile: readonly string[]
  /** What to look at when nothing comes. */
  noMessage: string
  noClick: string
  /** What to install. */
  packages: readonly string[]
}

export interface SetupQuestion {
  /** Under the service's key. */
  member: string
  flag: string
  ask: string
  /** Where to find it. */
  where: string
  pattern: RegExp
  looksLike: string
  /** What counts where nothing is said. It isn't written. */
  fallback?: string
  /** Few need it: it is taken from the flag, and nobody is asked. */
  isRare?: true
}

export interface SetupSecret {
  /** Under the service's key: the name of the variable. */
  member: string
  flag: string
  fallback: string
  ask: string
  where: string
  shape: RegExp
  looksLike: string
}

/** What our calls need. The guides name the same. */
export const FEISHU_SCOPES = [
  'im:message:send_as_bot',
  'im:message.p2p_msg:readonly',
  'im:message.group_at_msg:readonly',
  'im:chat:readonly',
] as const

const FEISHU: ChatRecipe = {
  key: 'feishu',
  title: 'Feishu or Lark',
  before: [
    'You need a custom app with a bot. In the developer console (https://open.feishu.cn/app, for Lark https://open.larksuite.com/app):',
    '  1. Create Custom App.',
    '  2. Add Features: add Bot.',
    `  3. Permissions & Scopes: add ${FEISHU_SCOPES.join(', ')}.`,
    '  4. Version Management & Release: create a version and publish it. An administrator may have to approve it.',
  ],
  questions: [
    {
      member: 'domain',
      flag: 'domain',
      ask: 'feishu or lark?',
      where: 'Feishu apps are made at open.feishu.cn, Lark apps at open.larksuite.com.',
      pattern: /^(?:feishu|lark|https?:\/\/\S+)$/,
      looksLike: 'feishu, lark, or an https: address',
      fallback: 'feishu',
    },
    {
      member: 'appId',
      flag: 'app-id',
      ask: 'App ID:',
      where: 'In the developer console, open the app, then Credentials & Basic Info.',
      pattern: /^cli_[0-9a-zA-Z]{8,32}$/,
      looksLike: 'cli_ and letters and digits, as in cli_a1b2c3d4e5f60718',
    },
  ],
  secret: {
    member: 'appSecretEnv',
    flag: 'app-secret-env',
    fallback: 'FEISHU_APP_SECRET',
    ask: 'App Secret (it is not shown):',
    where: 'On the same page, below the App ID.',
    shape: APP_SECRET,
    looksLike: '16 or more letters and digits',
  },
  meanwhile: [
    'The long connection is open. The console lets you choose it only while it is, so do this now, under Events & Callbacks of the app:',
    '  1. Event Configuration: subscription mode "Receive events through persistent connection", Save, then add the event',
    '     im.message.receive_v1.',
    '  2. Callback Configuration: subscription mode "Receive callbacks through persistent connection", Save, then add the callback',
    '     card.action.trigger.',
    '  3. Version Management & Release: create a version and publish it. Nothing of this counts before that.',
    'If you have done it before, there is nothing to do.',
  ],
  noMessage:
    'If you have sent it: look whether Events & Callbacks has the event im.message.receive_v1 by persistent connection, the app has the permission im:message.p2p_msg:readonly, and the version with both is published.',
  noClick:
    'If you have pressed it: look whether Events & Callbacks, Callback Configuration has the callback card.action.trigger by persistent connection, and the version with it is published.',
  packages: [],
}

const TELEGRAM: ChatRecipe = {
  key: 'telegram',
  title: 'Telegram',
  before: [
    'You need a bot of its own. In Telegram write to @BotFather, send /newbot, and give it a name. BotFather answers with a token.',
  ],
  questions: [
    {
      member: 'api',
      flag: 'api',
      ask: 'Bot API server:',
      where: 'Telegram’s own, unless you run one.',
      pattern: /^https?:\/\/\S+$/,
      looksLike: 'an address, as in https://api.telegram.org',
      fallback: 'https://api.telegram.org',
      isRare: true,
    },
  ],
  secret: {
    member: 'tokenEnv',
    flag: 'token-env',
    fallback: 'TELEGRAM_BOT_TOKEN',
    ask: 'Token of the bot (it is not shown):',
    where: 'From @BotFather: /mybots, the bot, API Token.',
    shape: TOKEN,
    looksLike: 'digits, a colon, and letters and digits, as in 123456789:AAE…',
  },
  meanwhile: [],
  noMessage:
    'If you have pressed Start: look whether it is this bot, and whether no other program receives its updates.',
  noClick: 'If you have pressed it: look whether another program receives the updates of this bot.',
  packages: [],
}

export const CHAT_RECIPES: readonly ChatRecipe[] = [FEISHU, TELEGRAM]

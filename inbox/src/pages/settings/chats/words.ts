import type { LinkingRefusal } from '../../../../../src/core/support/account-linking.ts'
import { translatedWords } from '../../../words/translated-words.ts'

interface ChatSettingsWords {
  title: string
  explain: string
  none(command: string): string
  unreachable(fault: string): string
  bot: string
  workspace: string
  account: string
  accountName: string
  notLinked: string
  inConfiguration: string
  link: {
    begin: string
    steps(bot: string, carriesCode: boolean): string
    code: string
    copy: string
    copied: string
    open: string
    waiting: string
    cancel: string
    claimed: string
    sender: string
    check(account: string): string
    confirm: string
    notMe: string
    linked: string
    again: string
    expired: string
    refused: Record<LinkingRefusal, string>
  }
  unlink: { label: string; confirm: string; explain(account: string): string }
  test: {
    send: string
    sent: string
    clicked(account: string, person: string): string
    nobody: string
    failed(fault: string): string
    over: string
  }
  quiet: {
    title: string
    explain: string
    configured: string
    each: string
    save: string
    saved: string
    zone: string
    wrong: string
  }
}

export const CHAT_SETTINGS_WORDS = translatedWords<ChatSettingsWords>(
  {
    title: 'Messaging apps',
    explain: 'You can also decide requests in these apps. These settings are kept on the server.',
    none: (command) =>
      `No messaging app is set up on this server. An administrator can set one up with \`${command}\`.`,
    unreachable: (fault) => `The service can't be reached: ${fault}`,
    bot: 'Bot',
    workspace: 'Workspace',
    account: 'Your account',
    accountName: 'Name, chosen by its owner',
    notLinked: 'No account is linked to you yet.',
    inConfiguration: "It is set in the server's configuration file, and can only be changed there.",
    link: {
      begin: 'Link account',
      steps: (bot, carriesCode) =>
        carriesCode
          ? `Open the link and press Start, or send this code to ${bot} in a private chat. Give it to nobody else.`
          : `Open the chat with ${bot} and send it this code. Give it to nobody else.`,
      code: 'Code',
      copy: 'Copy code',
      copied: 'Copied.',
      open: 'Open the chat with the bot',
      waiting: 'Waiting for the code to arrive in the chat.',
      cancel: 'Cancel',
      claimed: 'This account has sent your code:',
      sender: 'Account',
      check: (account) =>
        `Confirm only if the bot has just answered you in your own chat, and named the account ${account}. A name proves nothing.`,
      confirm: 'Confirm: this is me',
      notMe: "It's not me",
      linked: 'The account is linked to you.',
      again: 'New code',
      expired: 'Time is up. Nothing was linked.',
      refused: {
        account_taken:
          'Nothing was linked: that account is linked to somebody already. It has to be unlinked first.',
        account_yours: 'That account is linked to you already.',
        has_account: 'Nothing was linked: you have another account at this service. Unlink it first.',
        seen_by_others:
          'Nothing was linked: the code was sent in a group, where others could read it. Send the next one in a private chat with the bot.',
        cancelled: 'Nothing was linked. That code is no longer valid.',
      },
    },
    unlink: {
      label: 'Unlink',
      confirm: 'Unlink it',
      explain: (account) =>
        `After that, clicks by account ${account} decide nothing, and it gets no more cards.`,
    },
    test: {
      send: 'Send a test card',
      sent: 'Sent. Click the button of the card in the chat.',
      clicked: (account, person) =>
        `It works: account ${account} has clicked, and its clicks count as ${person}'s.`,
      nobody: 'The card was clicked, but the account is linked to nobody, so its clicks decide nothing.',
      failed: (fault) => `The card could not be sent: ${fault}`,
      over: 'Nobody has clicked the card. Send another one to try again.',
    },
    quiet: {
      title: 'Quiet hours in chats',
      explain:
        'Between these times cards come without a sound, or afterwards. High-risk requests and short deadlines come at once.',
      configured: "These come from the server's configuration file. What you save here overrides them.",
      each: 'Every day',
      save: 'Save',
      saved: 'Saved.',
      zone: 'Time zone',
      wrong: 'Choose two different times, and a time zone such as Europe/Amsterdam.',
    },
  },
  {
    title: '聊天软件',
    explain: '除本页面外，您还可以在聊天软件中处理请求。这些设置保存在服务器上。',
    none: (command) => `此服务器尚未接入聊天软件。管理员可运行 \`${command}\` 进行设置。`,
    unreachable: (fault) => `无法连接该服务：${fault}`,
    bot: '机器人',
    workspace: '工作区',
    account: '您的账号',
    accountName: '昵称（由账号主人自取）',
    notLinked: '您还没有关联账号。',
    inConfiguration: '该账号写在服务器的配置文件中，请在那里修改。',
    link: {
      begin: '关联账号',
      steps: (bot, carriesCode) =>
        carriesCode
          ? `打开下面的链接并点“开始”，或者把关联码私聊发给 ${bot}。不要告诉其他任何人。`
          : `打开与 ${bot} 的聊天，把关联码发给它。不要告诉其他任何人。`,
      code: '关联码',
      copy: '复制关联码',
      copied: '已复制。',
      open: '打开与机器人的聊天',
      waiting: '正在等待您在聊天中发送关联码。',
      cancel: '取消',
      claimed: '以下账号发送了您的关联码：',
      sender: '账号',
      check: (account) =>
        `只有当机器人刚刚在您自己的聊天中回复了您，并且提到账号 ${account} 时，才可以确认。昵称不能证明身份。`,
      confirm: '确认，这是我',
      notMe: '不是我',
      linked: '账号已关联。',
      again: '重新生成',
      expired: '已超时，没有关联任何账号。',
      refused: {
        account_taken: '没有关联：该账号已关联到其他人，需要先解除关联。',
        account_yours: '该账号已经关联到您了。',
        has_account: '没有关联：您在该服务上已有另一个账号，请先解除关联。',
        seen_by_others: '没有关联：关联码发到了群里，其他人也能看到。请重新生成，并私聊发给机器人。',
        cancelled: '没有关联，该关联码已作废。',
      },
    },
    unlink: {
      label: '解除关联',
      confirm: '确认解除',
      explain: (account) => `解除后，账号 ${account} 的点击不再有效，也不会再收到卡片。`,
    },
    test: {
      send: '发送测试卡片',
      sent: '已发送。请在聊天中点卡片上的按钮。',
      clicked: (account, person) => `一切正常：账号 ${account} 已点击，点击会记在 ${person} 名下。`,
      nobody: '卡片已被点击，但该账号没有关联到任何人，点击不起作用。',
      failed: (fault) => `卡片发送失败：${fault}`,
      over: '还没有人点击卡片。如需继续，请重新发送。',
    },
    quiet: {
      title: '聊天免打扰时段',
      explain: '在此时段内，卡片静音送达或延后送达。高风险或时间紧迫的请求仍会立即送达。',
      configured: '目前采用服务器配置文件中的时段。在这里保存后，以您的设置为准。',
      each: '每天',
      save: '保存',
      saved: '已保存。',
      zone: '时区',
      wrong: '请选择两个不同的时间，并填写时区，例如 Asia/Shanghai。',
    },
  },
)

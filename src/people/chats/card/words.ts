/** What chats say in their own words. The type of both languages is one: a missing translation doesn't compile. */
import type { Locale } from '../../../display/words/rendering-words.ts'

export interface ChatWords {
  state(said: string, meaning: string | undefined): string
  action: string
  actionCut: string
  /** The same, of a request that is over. */
  actionOver: string
  actionElsewhere: string
  tooLong: string
  notHere: string
  notAnswerable: string
  question: string
  erased: string
  agentSays: string
  /** Above what a session said, in a notice. */
  sessionSays: string
  deadline(time: string): string
  noDeadline: string
  needed(count: number, given: number): string
  vote(by: string, time: string, via: string): string
  decided(by: string, decided: string, time: string, via: string): string
  reason: string
  comment(by: string): string
  edited(by: string): string
  stopped(by: string): string
  cancelledBy(by: string): string
  reported(by: string): string
  answer(question: string): string
  replyToAnswer: string
  openInbox: string
  rejectWithReason: string
  giveReason: string
  submit: string
  ownAnswer(question: string): string
  request(id: string): string
  floodTitle(count: number): string
  flood: string
  test: {
    title: string
    text: string
    button: string
    done(person: string): string
    nobody: string
  }
  /** Told to who acted, alone. */
  told: {
    unlinked: string
    /** To who talks to the secretary. */
    stranger: string
    notYours: string
    unknownCard: string
    changed: string
    elsewhere: string
    expired: string
    over(state: string): string
    decidedBy(by: string, decided: string): string
    voted: string
    failed: string
    working: string
    notNow: string
    replyWithReason: string
    fillIn: string
    take(said: string, tool: string): string
    unclear: string
    noTextForThis: string
    nothingPending: string
    pending(count: number): string
    howToAnswer: string
    manyPending: string
    morePending(count: number): string
    test: { useButton: string; over: string }
    link: {
      claimed(account: string, person: string, inbox: string | undefined): string
      yours(person: string): string
      void: string
      worthless: string
      linked(person: string): string
      unlinked(person: string): string
      linkedElsewhere(service: string, account: string, name: string | undefined): string
      unlinkedElsewhere(service: string, account: string): string
    }
  }
}

const EN: ChatWords = {
  state: (said, meaning) =>
    `${said[0]!.toUpperCase()}${said.slice(1)}.${meaning === undefined ? '' : ` ${meaning}`}`,
  action: 'What would run',
  actionCut: 'What would run (only a part)',
  actionOver: 'The call',
  actionElsewhere: 'The action is not shown in this group.',
  tooLong: "The whole action doesn't fit here, so it can't be approved here. Open it in the inbox.",
  notHere: "It can't be approved here. Open it in the inbox.",
  notAnswerable: "It can't be answered here. Open it in the inbox.",
  question: 'Question',
  erased: 'The arguments have been erased.',
  agentSays: 'The agent says (unverified)',
  sessionSays: 'The session says (unverified):',
  deadline: (time) => `Answer by ${time}`,
  noDeadline: 'No deadline',
  needed: (count, given) =>
    given === 0 ? `${count} people have to approve` : `${given} of ${count} approvals so far:`,
  vote: (by, time, via) => `${by} approved, ${time}, via ${via}`,
  decided: (by, decided, time, via) => `${by} ${decided}, ${time}, via ${via}`,
  reason: 'Reason',
  comment: (by) => `${by} wrote`,
  edited: (by) => `${by} changed the arguments. This is the changed call.`,
  stopped: (by) => `${by} told it to stop`,
  cancelledBy: (by) => `Cancelled by ${by}`,
  reported: (by) => `${by} reported`,
  answer: (question) => `Answer to: ${question}`,
  replyToAnswer: 'Reply to this message with your answer.',
  openInbox: 'Open in inbox',
  rejectWithReason: 'Reject with reason',
  giveReason: 'Reason. The agent reads it.',
  submit: 'Send answers',
  ownAnswer: (question) => `${question} (in your own words)`,
  request: (id) => `Request ${id}`,
  floodTitle: (count) => (count === 1 ? '1 more request is pending' : `${count} more requests are pending`),
  flood: "So many came at once that they don't get a card each. Open them in the inbox.",
  test: {
    title: 'Test card',
    text: 'This is a test and decides nothing. Click the button to see whether your clicks arrive.',
    button: 'Test click',
    done: (person) => `It works: your click arrived, and it counts as ${person}'s.`,
    nobody: 'Your click arrived, but this account is linked to nobody, so it would decide nothing.',
  },
  told: {
    unlinked: 'Nothing was decided: this account is linked to nobody here. Link it first.',
    stranger:
      'This account is linked to nobody here, so nothing was done. Link it in the settings of the inbox, then write again. You get this message only once.',
    notYours: 'Nothing was decided: you may not approve this request.',
    unknownCard: 'Nothing was decided: this button is not valid here. Open the inbox.',
    changed: 'Nothing was decided: the request has changed. Look at the card again.',
    elsewhere: "It can't be approved in a chat. Open it in the inbox. It stays pending.",
    expired: 'Too late: the request has expired.',
    over: (state) => `Nothing was decided: the request is ${state}.`,
    decidedBy: (by, decided) => `Too late: ${by} ${decided}.`,
    voted: 'Your approval is recorded. More people have to approve.',
    failed: 'Nothing was decided: this is not a valid answer to the request.',
    working: 'Received. The card will show what came of it.',
    notNow: "It can't be recorded right now. If the card doesn't change within a minute, click again.",
    replyWithReason: 'Reply to the card with the reason: that rejects it.',
    fillIn: 'Nothing was decided: fill in an answer to each question.',
    take: (said, tool) => `Taken as an answer to ${tool}: ${said}`,
    unclear: 'Not understood, nothing was decided. Reply to the card with y or n, or with n and a reason.',
    noTextForThis: "This can't be approved by text. Use the button on the card, or the inbox.",
    nothingPending: 'Nothing is pending here.',
    pending: (count) => (count === 1 ? '1 request is pending here:' : `${count} requests are pending here:`),
    howToAnswer: 'To answer, use the buttons on a card, or reply to it with y or n.',
    manyPending: 'Many requests are pending. Open the inbox.',
    morePending: (count) => `and ${count} more`,
    test: {
      useButton: 'This card is a test. Click its button.',
      over: 'This test is over. Send another test card from the settings.',
    },
    link: {
      claimed: (account, person, inbox) =>
        `This would link this account (${account}) to ${person}${inbox === undefined ? '' : `, at ${inbox}`}. To finish, confirm it where you made the code, and check that it shows the same account there. If you didn't make a code, ignore this: nothing is linked yet.`,
      yours: (person) => `This account is linked to ${person} already.`,
      void: 'Others can read this group, so this code is void now. Make a new one and send it to me in a private chat.',
      worthless:
        'This code is not valid here: it is wrong, too old or was used. Make a new one. After five wrong codes, wait an hour.',
      linked: (person) =>
        `This account is linked to ${person} now. Your clicks here count as ${person}'s. If you are not ${person}, don't click any card here, and tell an administrator.`,
      unlinked: (person) => `This account is no longer linked to ${person}.`,
      linkedElsewhere: (service, account, name) =>
        `${service} account ${account}${name === undefined ? '' : ` (its owner calls it “${name}”)`} is linked to you now. If that wasn't you, unlink it in the settings of the inbox, and tell an administrator.`,
      unlinkedElsewhere: (service, account) =>
        `${service} account ${account} is no longer linked to you. If you don't know why, ask an administrator.`,
    },
  },
}

const ZH: ChatWords = {
  state: (said, meaning = '') => `${said}。${meaning}`,
  action: '将要执行的内容',
  actionCut: '将要执行的内容（仅一部分）',
  actionOver: '调用内容',
  actionElsewhere: '本群不显示具体操作。',
  tooLong: '操作内容太长，这里放不下，因此不能在此批准。请在收件箱中打开。',
  notHere: '不能在此批准，请在收件箱中打开。',
  notAnswerable: '这里无法回答，请在收件箱中打开。',
  question: '问题',
  erased: '参数已删除。',
  agentSays: '智能体的说明（未经核实）',
  sessionSays: '会话输出（未经核实）：',
  deadline: (time) => `请在 ${time} 前答复`,
  noDeadline: '没有期限',
  needed: (count, given) =>
    given === 0 ? `需要 ${count} 人批准` : `需要 ${count} 人批准，已有 ${given} 人：`,
  vote: (by, time, via) => `${by} 已批准，${time}，通过${afterChinese(via)}`,
  decided: (by, decided, time, via) => `${by} ${decided}，${time}，通过${afterChinese(via)}`,
  reason: '理由',
  comment: (by) => `${by} 写道`,
  edited: (by) => `${by} 修改了参数，下面是修改后的调用。`,
  stopped: (by) => `${by} 已要求停止`,
  cancelledBy: (by) => `由 ${by} 取消`,
  reported: (by) => `${by} 报告的结果`,
  answer: (question) => `对“${question}”的回答`,
  replyToAnswer: '请直接回复这条消息作答。',
  openInbox: '在收件箱中打开',
  rejectWithReason: '拒绝并说明理由',
  giveReason: '为什么拒绝？智能体会看到理由。',
  submit: '提交回答',
  ownAnswer: (question) => `${question}（自行填写）`,
  request: (id) => `请求编号 ${id}`,
  floodTitle: (count) => `另有 ${count} 个请求待处理`,
  flood: '短时间内请求太多，不再逐个发卡片。请在收件箱中处理。',
  test: {
    title: '测试卡片',
    text: '这是一张测试卡片，不会作出任何决定。点一下按钮，看看点击能否送达。',
    button: '测试点击',
    done: (person) => `一切正常：已收到您的点击，它会记在 ${person} 名下。`,
    nobody: '已收到您的点击，但这个账号没有关联到任何人，点击不起作用。',
  },
  told: {
    unlinked: '没有作出决定：这个账号还没有关联到任何人，请先关联。',
    stranger:
      '这个账号没有关联到任何人，消息没有处理。请先在收件箱的设置中关联账号，再发一次。此提示只发一次。',
    notYours: '没有作出决定：您无权审批这个请求。',
    unknownCard: '没有作出决定：这个按钮在这里无效。请打开收件箱。',
    changed: '没有作出决定：请求已有变化，请重新查看卡片。',
    elsewhere: '聊天中不能批准，请在收件箱中打开。请求仍待处理。',
    expired: '太晚了：请求已过期。',
    over: (state) => `没有作出决定：请求${state}。`,
    decidedBy: (by, decided) => `晚了一步：${by} ${decided}。`,
    voted: '您的批准已记录，还需要其他人批准。',
    failed: '没有作出决定：对这个请求来说，这不是有效的答复。',
    working: '已收到，结果会显示在卡片上。',
    notNow: '暂时无法记录。如果一分钟内卡片没有变化，请再点一次。',
    replyWithReason: '请回复这张卡片并写明理由，回复即表示拒绝。',
    fillIn: '没有作出决定：请先回答每个问题。',
    take: (said, tool) => `已作为对 ${tool} 的答复：${said}`,
    unclear: '没看懂，没有作出决定。请回复卡片“是”或“否”，也可以在“否”后面写上理由。',
    noTextForThis: '这个请求不能用文字批准，请点卡片上的按钮，或打开收件箱。',
    nothingPending: '这里没有待处理的请求。',
    pending: (count) => `这里有 ${count} 个待处理的请求：`,
    howToAnswer: '请点卡片上的按钮，或回复卡片“是”或“否”。',
    manyPending: '待处理的请求很多，请打开收件箱。',
    morePending: (count) => `另有 ${count} 个`,
    test: {
      useButton: '这是一张测试卡片，请点卡片上的按钮。',
      over: '这次测试已经结束。如需再试，请在设置中重新发送测试卡片。',
    },
    link: {
      claimed: (account, person, inbox) =>
        `即将把这个账号（${account}）关联到 ${person}${inbox === undefined ? '' : `（${inbox}）`}。请回到生成关联码的页面或终端，核对账号一致后确认。如果关联码不是您生成的，请忽略这条消息：目前还没有关联。`,
      yours: (person) => `这个账号已经关联到 ${person} 了。`,
      void: '群里的其他人也能看到这个关联码，它已作废。请重新生成一个，私聊发给我。',
      worthless: '关联码无效：可能输错了、已过期或已用过。请重新生成。连续输错五次后，需等一小时再试。',
      linked: (person) =>
        `这个账号已关联到 ${person}，在这里的点击都会记在 ${person} 名下。如果您不是 ${person}，请不要点任何卡片，并告知管理员。`,
      unlinked: (person) => `这个账号已与 ${person} 解除关联。`,
      linkedElsewhere: (service, account, name) =>
        `${beforeChinese(service)}账号 ${account}${name === undefined ? '' : `（对方自称“${name}”）`} 已关联到您。如果不是您本人操作，请在收件箱的设置中解除关联，并告知管理员。`,
      unlinkedElsewhere: (service, account) =>
        `${beforeChinese(service)}账号 ${account} 已与您解除关联。如果您不清楚原因，请询问管理员。`,
    },
  },
}

/** Between letters and Chinese characters stands a space. */
const beforeChinese = (name: string) => (/\w$/.test(name) ? `${name} ` : name)
const afterChinese = (name: string) => (/^\w/.test(name) ? ` ${name}` : name)

const WORDS: Readonly<Record<Locale, ChatWords>> = { en: EN, zh: ZH }

export function chatWords(locale: Locale): ChatWords {
  return WORDS[locale]
}

/** The same on every machine: `2026-11-17 10:48 UTC`. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

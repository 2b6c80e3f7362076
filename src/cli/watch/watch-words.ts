/** What `requests watch` says, in English and Chinese. The keys are the same in both. */
import type { LastingScope } from '../../core/verdict.ts'
import type { Locale } from '../../display/words/rendering-words.ts'

export interface WatchWords {
  locale: Locale
  welcome(who: string): string
  idle: string
  keys: { approval: string; covered: string; question: string; idle: string }
  help: readonly string[]
  typeYes: string
  reasonPrompt: string
  answerPrompt: string
  respondPrompt: string
  terminatePrompt: string
  choicePrompt: string
  choicesIntro: string
  scopes: Record<LastingScope, string>
  noChoices: string
  noSuchSpan: string
  confirmAll(count: number): string
  noOthers: string
  highRiskAmongThem: string
  /** A part of the call is not on the screen. */
  wholeFirst: string
  tooLongAmongThem: string
  tooManyTogether(most: number): string
  confirmEdit: string
  confirmHighRiskEdit: string
  sending: string
  opening: string
  goOn: string
  notConfirmed: string
  skipped: string
  notOffered(decision: string): string
  voted: string
  refused(detail: string): string
  gone(how: string): string
  goneVoted: string
  goneNotYours: string
  tooLate: string
  changed: string
  editUnchanged: string
  editFailed(why: string): string
  editIntro: string
  lost(seconds: number): string
  connected: string
  needsAnswer: string
  severalKeys: string
  noSuchOption(count: number): string
  onlyOne: string
  noOwnWords: string
  ended(summary: string, state: string): string
  bye: string
}

const EN: WatchWords = {
  locale: 'en',
  welcome: (who) => `Watching as ${who}. Requests appear here as they come in; ? explains the keys, q quits.`,
  idle: 'No pending requests.',
  keys: {
    approval: '[y] approve  [n] reject  [e] edit  [a] remember  [s] skip  [?] help  [q] quit › ',
    covered: 'hidden value, approve in the inbox  [n] reject  [e] edit  [s] skip  [?] › ',
    question: '[a] answer  [n] decline  [s] skip  [?] help  [q] quit › ',
    idle: '[?] help  [q] quit › ',
  },
  help: [
    'y  approve: the call runs once, exactly as it is shown',
    'n  reject, with a reason that the agent reads',
    'e  edit the arguments in $EDITOR, see the difference, then approve that',
    'a  approve and remember, for later calls; on a question: answer it',
    'A  approve all pending requests, after seeing each of them',
    "r  respond instead of the tool, which doesn't run",
    't  end the session that it belongs to for good, with a reason',
    'w  see every argument in full',
    's  skip: it stays pending',
    'q  quit; nothing is lost',
    'High-risk calls ask you to type yes. Keys typed before you can have read a request are ignored.',
  ],
  typeYes: 'High-risk call. Type yes to approve: ',
  reasonPrompt: 'Reason, which the agent reads (Enter: no reason, Esc: back): ',
  answerPrompt: 'Your answer (Esc: back): ',
  respondPrompt: "Your response, which the agent gets as the tool's result (Esc: back): ",
  terminatePrompt:
    "This ends the session for good, and can't be undone. Reason (Enter: no reason, Esc: back): ",
  choicePrompt: 'Which? A number, and for how long if you like, as in 2 8h (Esc: back): ',
  choicesIntro: 'Approve, and from now on allow without approval:',
  scopes: { session: 'in this session', always: 'always' },
  noChoices: 'Nothing beyond this call can be allowed here.',
  noSuchSpan: 'Write the time like 15m, 8h or 30d; at most 365d.',
  confirmAll: (count) => `Approve all ${count} of them? [y/n] › `,
  noOthers: 'No other pending requests.',
  highRiskAmongThem: 'One of them is high risk: decide them one by one.',
  wholeFirst: 'A value is shortened. Press w to see it in full, then approve.',
  tooLongAmongThem: 'One of them has a shortened value: decide them one by one.',
  tooManyTogether: (most) => `That is more than ${most}: decide them one by one.`,
  confirmEdit: 'Approve the call with these arguments? [y/n] › ',
  confirmHighRiskEdit: 'High-risk call. Type yes to approve it with these arguments: ',
  sending: 'sending…',
  opening: 'fetching…',
  goOn: 'Press Enter to continue › ',
  notConfirmed: 'Not approved.',
  skipped: 'Skipped; it stays pending.',
  notOffered: (decision) => `"${decision}" isn't available for this request.`,
  voted: 'Your approval is counted; more are needed.',
  refused: (detail) => `Not recorded: ${detail}`,
  gone: (how) => `This request no longer needs you: ${how}.`,
  goneVoted: 'you approved it elsewhere',
  goneNotYours: 'you may no longer decide it',
  tooLate: 'Your edit came too late and was not sent.',
  changed: 'Somebody changed the arguments. This is the changed call:',
  editUnchanged: 'Nothing was changed.',
  editFailed: (why) => `The edit wasn't accepted: ${why}`,
  editIntro: 'What you changed:',
  lost: (seconds) => `Connection lost. Trying again in ${seconds} s.`,
  connected: 'Connected again.',
  needsAnswer: 'It needs an answer.',
  severalKeys: 'Several keys at once are not an answer; press one key.',
  noSuchOption: (count) => `The options are 1 to ${count}.`,
  onlyOne: 'Choose one.',
  noOwnWords: 'Only the number of an option is accepted.',
  ended: (summary, state) => `${summary}: ${state}`,
  bye: 'Unanswered requests stay pending.',
}

const ZH: WatchWords = {
  locale: 'zh',
  welcome: (who) => `正以 ${who} 的身份查看。新请求会出现在这里；按 ? 查看按键说明，按 q 退出。`,
  idle: '没有待处理的请求。',
  keys: {
    approval: '[y] 批准  [n] 拒绝  [e] 修改  [a] 记住  [s] 跳过  [?] 帮助  [q] 退出 › ',
    covered: '有值被隐藏，请在收件箱批准  [n] 拒绝  [e] 修改  [s] 跳过  [?] 帮助 › ',
    question: '[a] 回答  [n] 不回答  [s] 跳过  [?] 帮助  [q] 退出 › ',
    idle: '[?] 帮助  [q] 退出 › ',
  },
  help: [
    'y  批准：严格按所示内容执行一次',
    'n  拒绝，并写明理由，智能体会读到',
    'e  在 $EDITOR 中修改参数，查看差异后再批准',
    'a  批准并记住，以后的调用无需审批；对于问题：回答，输入序号或自己写',
    'A  逐一看过之后，一次批准所有待处理的请求',
    'r  代替工具答复，工具不会执行',
    't  终止请求所属的会话（永久结束），并写明理由',
    'w  完整显示每个参数',
    's  跳过：请求仍待处理',
    'q  退出，什么都不会丢失',
    '高风险调用需输入 yes 确认。来不及阅读就按下的键不算数。',
  ],
  typeYes: '高风险调用，输入 yes 批准：',
  reasonPrompt: '拒绝的理由，智能体会读到（回车：不写理由，Esc：返回）：',
  answerPrompt: '您的回答（Esc：返回）：',
  respondPrompt: '您的答复，智能体会把它当作工具的结果（Esc：返回）：',
  terminatePrompt: '这会永久结束会话，无法恢复。理由（回车：不写理由，Esc：返回）：',
  choicePrompt: '选哪一项？输入序号，可加期限，如 2 8h（Esc：返回）：',
  choicesIntro: '批准，并从现在起无需审批：',
  scopes: { session: '在本次会话中', always: '始终' },
  noChoices: '这里只能批准这一次调用。',
  noSuchSpan: '期限写作 15m、8h 或 30d，最长 365d。',
  confirmAll: (count) => `全部批准这 ${count} 个吗？[y/n] › `,
  noOthers: '没有其他待处理的请求。',
  highRiskAmongThem: '其中有高风险调用，请逐个处理。',
  wholeFirst: '有一个值已截短。请先按 w 查看全文，再批准。',
  tooLongAmongThem: '其中有值已截短，请逐个处理。',
  tooManyTogether: (most) => `超过 ${most} 个，请逐个处理。`,
  confirmEdit: '按这些参数批准吗？[y/n] › ',
  confirmHighRiskEdit: '高风险调用，输入 yes 按这些参数批准：',
  sending: '正在发送…',
  opening: '正在读取…',
  goOn: '按回车继续 › ',
  notConfirmed: '没有批准。',
  skipped: '已跳过，请求仍待处理。',
  notOffered: (decision) => `此请求不能“${decision}”。`,
  voted: '您的批准已计入，还需要其他人批准。',
  refused: (detail) => `未记录：${detail}`,
  gone: (how) => `此请求不再需要您处理：${how}。`,
  goneVoted: '您已在别处批准',
  goneNotYours: '您已无权审批',
  tooLate: '您的修改来得太晚，没有发送。',
  changed: '有人修改了参数。修改后的调用是：',
  editUnchanged: '没有改动。',
  editFailed: (why) => `修改未被接受：${why}`,
  editIntro: '您的改动：',
  lost: (seconds) => `连接已断开，${seconds} 秒后重试。`,
  connected: '已重新连接。',
  needsAnswer: '需要一个回答。',
  severalKeys: '一次输入多个键不算答复；请只按一个键。',
  noSuchOption: (count) => `选项为 1 到 ${count}。`,
  onlyOne: '只能选一项。',
  noOwnWords: '只接受选项的序号。',
  ended: (summary, state) => `${summary}：${state}`,
  bye: '未处理的请求会保留。',
}

const WORDS: Readonly<Record<Locale, WatchWords>> = { en: EN, zh: ZH }

export function watchWords(locale: Locale): WatchWords {
  return WORDS[locale]
}

/** Words that all of the inbox shares. Those for states, decisions and outcomes are in `src/display/words/`. */
import type { InboxWords } from './words.ts'

export const CHINESE: InboxWords = {
  otherLanguage: 'English',
  pending: '待您审批',
  question: '提问',
  recent: '最近',
  nothingPending: '目前没有待处理的请求。新的请求会自动出现在这里。',
  nothingRecent: '最近没有处理过请求。',
  loading: '正在加载…',
  morePending: '还有更多待处理的请求，此处未全部列出。',
  chooseOne: '从列表中选择一个请求，查看完整内容并处理。',
  notThere: '没有这个请求，或者您无权查看。',
  back: '返回列表',
  keys: '快捷键：j、k 移动，回车打开，a 移到“批准”（再按回车确认），r 填写理由并拒绝，Esc 返回。',
  logOut: '退出登录',
  login: {
    title: '登录',
    link: '请使用登录链接登录。链接 15 分钟内有效，只能使用一次；登录后，此浏览器会保持登录状态。',
    yours: '服务器是您启动的',
    yoursHow:
      '请打开服务器启动时显示的链接。如需新的链接，请在启动服务器的文件夹中运行 `banksman login`（源码目录中运行 `npx banksman login`）。',
    others: '服务器由他人管理',
    othersHow: '请向提供此地址的人索取您本人的登录链接，可以把下面这段话发给对方：',
    request: (url) =>
      `请在 ${url} 所在的服务器上运行 \`banksman login --subject 我的名字 --new\`（把“我的名字”换成我的用户名），再把得到的链接发给我。`,
    code: '登录链接或登录码',
    submit: '登录',
    again: '重试',
    asked: (subject) => `您已以 ${subject} 的身份登录`,
    askedHint: '您打开的链接会让此浏览器重新登录，登录后的身份可能不是您本人。请确认是自己的链接后再使用。',
    stay: (subject) => `保持 ${subject} 的身份`,
    useLink: '使用该链接',
  },
  connection: {
    lost: '连接已断开，页面内容可能已过时。正在重新连接…',
    refused: '服务器响应异常。',
    retry: '立即重试',
  },
  timeLeft(ms) {
    const seconds = Math.ceil(ms / 1000)
    if (seconds < 60) return `剩余 ${seconds} 秒`
    const minutes = Math.floor(seconds / 60)
    if (minutes < 60) return `剩余 ${minutes} 分 ${String(seconds % 60).padStart(2, '0')} 秒`
    const hours = Math.floor(minutes / 60)
    if (hours < 48) return `剩余 ${hours} 小时 ${minutes % 60} 分`
    return `剩余 ${Math.floor(hours / 24)} 天`
  },
  timeUp: '时间已到',
  scope: { once: '仅此一次', session: '本次会话', always: '始终' },
  sending: '正在发送…',
  tooEarly: '内容刚刚显示，请看清后再点一次。',
  form: { cancel: '取消' },
  call: { warnings: '请留意' },
  you: '您',
  sentences: (...said) => said.filter(Boolean).join(''),
  list: (items) => items.join('、'),
  autoDecided: '自动处理',
  news: {
    arrived: (summary) => `新请求：${summary}`,
    changed: (summary, state) => `${summary}：${state}`,
  },
  failure: (code) => FAILURES.get(code),
}

const FAILURES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable: '服务器没有响应。',
    unauthenticated: '请先登录。',
    not_yours: '此请求须由其他人审批。',
    already_decided: '其他人已先行处理。',
    expired: '您答复之前，请求已过期。',
    cancelled: '您答复之前，请求已取消。',
    digest_mismatch: '请求已有变化，请重新查看。',
    uncover_first: '请先查看隐藏的值。',
    edit_denied: '策略禁止您修改后的调用。',
    arguments_invalid: '参数不符合该工具的要求。',
  }),
)

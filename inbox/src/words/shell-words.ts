import type { PageName } from '../model/browser/page-location.ts'
import { translatedWords } from './translated-words.ts'

interface ShellWords {
  pages: Record<PageName, string>
  navigation: string
  skip: string
  waiting(count: number): string
  help: {
    open: string
    title: string
    close: string
    everywhere: string
    inLists: string
    onRequests: string
    keys: readonly (readonly [keys: string, what: string, where: 'everywhere' | 'inLists' | 'onRequests'])[]
  }
  pageFailed: string
}

export const SHELL_WORDS = translatedWords<ShellWords>(
  {
    pages: {
      pending: 'Inbox',
      chat: 'Chat',
      sessions: 'Sessions',
      history: 'History',
      grants: 'Grants',
      policy: 'Policy',
      mcp: 'MCP',
      health: 'Health',
      settings: 'Settings',
    },
    navigation: 'Pages',
    skip: 'Skip to the content',
    waiting: (count) => (count === 1 ? '1 request needs you' : `${count} requests need you`),
    help: {
      open: 'Shortcuts',
      title: 'Shortcuts',
      close: 'Close',
      everywhere: 'Everywhere',
      inLists: 'In the list',
      onRequests: 'On an open request',
      keys: [
        ['?', 'show or hide this', 'everywhere'],
        ['1 … 9', 'go to a page', 'everywhere'],
        ['Esc', 'back, close, cancel', 'everywhere'],
        ['/', 'go to the filter or the message box', 'everywhere'],
        ['j  k', 'next, previous', 'inLists'],
        ['Enter', 'open', 'inLists'],
        ['x', 'select, to decide several together', 'inLists'],
        ['Shift+A', 'review all selected', 'inLists'],
        ['a', 'approve (asks again if high risk)', 'onRequests'],
        ['r', 'reject, with a reason', 'onRequests'],
        ['e', 'edit, then approve', 'onRequests'],
        ['u', 'uncover a hidden value', 'onRequests'],
        ['w', 'respond instead of the tool', 'onRequests'],
        ['t', 'end the session (asks again)', 'onRequests'],
        ['s', 'snooze', 'onRequests'],
        ['n', 'next request', 'onRequests'],
      ],
    },
    pageFailed: "Couldn't load this page. Is the server running?",
  },
  {
    pages: {
      pending: '请求',
      chat: '对话',
      sessions: '会话',
      history: '历史',
      grants: '授权',
      policy: '策略',
      mcp: 'MCP',
      health: '运行概况',
      settings: '设置',
    },
    navigation: '页面',
    skip: '跳到正文',
    waiting: (count) => `${count} 个请求待您处理`,
    help: {
      open: '快捷键',
      title: '快捷键',
      close: '关闭',
      everywhere: '所有页面',
      inLists: '在列表中',
      onRequests: '查看请求时',
      keys: [
        ['?', '显示或隐藏本说明', 'everywhere'],
        ['1 … 9', '切换页面', 'everywhere'],
        ['Esc', '返回、关闭、取消', 'everywhere'],
        ['/', '定位到筛选框或消息输入框', 'everywhere'],
        ['j  k', '下一个、上一个', 'inLists'],
        ['Enter', '打开', 'inLists'],
        ['x', '选中，以便一并处理', 'inLists'],
        ['Shift+A', '查看所有选中的请求', 'inLists'],
        ['a', '批准（高风险时会再次确认）', 'onRequests'],
        ['r', '填写理由并拒绝', 'onRequests'],
        ['e', '修改后批准', 'onRequests'],
        ['u', '查看隐藏的值', 'onRequests'],
        ['w', '代替工具答复', 'onRequests'],
        ['t', '终止会话（会再次确认）', 'onRequests'],
        ['s', '稍后处理', 'onRequests'],
        ['n', '下一个请求', 'onRequests'],
      ],
    },
    pageFailed: '无法加载此页面。服务器是否在运行？',
  },
)

import type { Role } from '../../../../src/client/index.ts'
import type { ThemeName } from '../../context/theme.ts'
import type { NotificationAccess } from '../../model/notifications/notification-browser.ts'
import type { WebPushState } from '../../model/notifications/web-push.ts'
import { translatedWords } from '../../words/translated-words.ts'

interface SettingsWords {
  here: string
  language: string
  theme: { title: string; names: Record<ThemeName, string> }
  notices: {
    title: string
    explain: string
    on: string
    off: string
    turnOn: string
    turnOff: string
    permission: Partial<Record<NotificationAccess, string>>
  }
  push: {
    title: string
    explain: string
    state: Partial<Record<WebPushState, string>>
    turnOn: string
    turnOff: string
    working: string
    failed: string
  }
  quiet: {
    title: string
    explain: string
    each: string
    from: string
    to: string
    zone(name: string): string
    wrong: string
  }
  snooze: {
    title: string
    explain: string
    halfHour: string
    hour: string
    morning: string
    until(moment: string): string
    resume: string
  }
  install: { title: string; explain: string }
  you: {
    title: string
    name: string
    role: string
    roles: Partial<Record<Role, string>>
    namespace: string
    logOut: string
    explain: string
  }
}

export const SETTINGS_WORDS = translatedWords<SettingsWords>(
  {
    here: 'These settings are kept in this browser, except those for messaging apps.',
    language: 'Language',
    theme: { title: 'Appearance', names: { system: 'System', light: 'Light', dark: 'Dark' } },
    notices: {
      title: 'Notifications while this page is open',
      explain:
        'When the page is in the background, you are notified of requests that you can decide: the tool and the agent, never the arguments.',
      on: 'On.',
      off: 'Off.',
      turnOn: 'Turn on',
      turnOff: 'Turn off',
      permission: {
        denied: 'Notifications are blocked. Allow them for this page in the settings of the browser.',
        unsupported: "This browser can't show notifications here. Open the page over https, or on 127.0.0.1.",
      },
    },
    push: {
      title: 'Notifications while the page is closed',
      explain:
        "The server tells this browser only that a request is pending, through the push service of the browser's maker. No details are sent.",
      state: {
        subscribed: 'On in this browser.',
        unsubscribed: 'Off in this browser.',
        unsupported: 'Not supported by this browser here. On a phone, add the page to the home screen first.',
        blocked: 'Notifications are blocked. Allow them for this page in the settings of the browser.',
      },
      turnOn: 'Turn on',
      turnOff: 'Turn off',
      working: 'One moment…',
      failed: "The browser's push service could not be reached. Try again later.",
    },
    quiet: {
      title: 'Quiet hours',
      explain:
        'No notifications between these times. Requests that are still pending are notified afterwards.',
      each: 'Every day',
      from: 'From',
      to: 'To',
      zone: (name) => `Time zone: ${name}`,
      wrong: 'Choose two different times.',
    },
    snooze: {
      title: 'Pause notifications',
      explain: 'No notifications until then. The list still updates.',
      halfHour: '30 minutes',
      hour: '1 hour',
      morning: 'Until 8:00',
      until: (moment) => `No notifications until ${moment}.`,
      resume: 'Resume',
    },
    install: {
      title: 'Install as an app',
      explain:
        'Look for “Install” or “Add to home screen” in the menu of the browser. The icon then shows the number of pending requests.',
    },
    you: {
      title: 'You',
      name: 'Name',
      role: 'Role',
      roles: { approver: 'approver', admin: 'administrator' },
      namespace: 'Namespace',
      logOut: 'Log out',
      explain: 'To come back after logging out, you need a new login link.',
    },
  },
  {
    here: '除聊天软件外，这些设置都保存在此浏览器中。',
    language: '语言',
    theme: { title: '外观', names: { system: '跟随系统', light: '浅色', dark: '深色' } },
    notices: {
      title: '页面打开时的通知',
      explain: '页面在后台时，有需要您审批的请求就会通知您：只显示工具和智能体，不显示参数。',
      on: '已开启。',
      off: '已关闭。',
      turnOn: '开启',
      turnOff: '关闭',
      permission: {
        denied: '通知已被浏览器屏蔽。请在浏览器设置中允许此页面发送通知。',
        unsupported: '此浏览器无法在此显示通知：页面须通过 https 或 127.0.0.1 打开。',
      },
    },
    push: {
      title: '页面关闭时的通知',
      explain: '服务器通过浏览器厂商的推送服务，只告知此浏览器有待处理的请求，不发送具体内容。',
      state: {
        subscribed: '已在此浏览器中开启。',
        unsubscribed: '已在此浏览器中关闭。',
        unsupported: '此浏览器无法在此接收推送。在手机上，请先把页面添加到主屏幕。',
        blocked: '通知已被浏览器屏蔽。请在浏览器设置中允许此页面发送通知。',
      },
      turnOn: '开启',
      turnOff: '关闭',
      working: '请稍候…',
      failed: '无法连接浏览器的推送服务，请稍后再试。',
    },
    quiet: {
      title: '免打扰时段',
      explain: '在此时段内不显示通知。时段结束后，仍待处理的请求会再次通知。',
      each: '每天',
      from: '从',
      to: '到',
      zone: (name) => `时区：${name}`,
      wrong: '请选择两个不同的时间。',
    },
    snooze: {
      title: '暂停通知',
      explain: '暂停期间不通知，列表照常更新。',
      halfHour: '30 分钟',
      hour: '1 小时',
      morning: '到早上 8:00',
      until: (moment) => `${moment} 之前不通知。`,
      resume: '恢复通知',
    },
    install: {
      title: '安装为应用',
      explain: '请在浏览器菜单中查找“安装”或“添加到主屏幕”。安装后，图标上会显示待处理的请求数。',
    },
    you: {
      title: '账户',
      name: '用户名',
      role: '角色',
      roles: { approver: '审批人', admin: '管理员' },
      namespace: '命名空间',
      logOut: '退出登录',
      explain: '退出后，需要新的登录链接才能再次登录。',
    },
  },
)

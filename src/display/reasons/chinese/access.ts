/** 人们在登录、关联账号、设置免打扰或启用策略时可能遇到的问题。 */
import type { ACCESS as ENGLISH } from '../../../core/reasons/english/access.ts'

export const ACCESS: Readonly<Record<keyof typeof ENGLISH, string>> = {
  'access.login-used': '此登录链接已使用、已过期或不存在，请用 `banksman login` 生成新的链接',
  'access.token-unknown':
    '此令牌不存在、已过期或已吊销，请用 `banksman tokens create` 生成新的令牌，或重新登录',
  'access.cookie-over': '登录状态已过期或已被吊销，请重新登录',
  'access.token-over': '等待期间，令牌已被吊销或已过期',
  'access.none': '需要凭据：请发送 `Authorization: Bearer` 和您的令牌',
  'access.admin-only': '{what} 需要管理员的凭据，您的凭据是审批人的',
  'access.no-token': '没有编号为 `{id}` 的令牌',
  'access.no-token-yours': '您没有编号为 `{id}` 的令牌',
  'access.not-from-login':
    '此令牌不是登录得来的，退出登录不会使它失效；如要吊销，请运行 `banksman tokens revoke {id}`',
  'access.page-of-others': '{origin} 的网页不能访问此服务器，只有它自己的网页可以',

  'mcp.admin-accepts': '只有管理员可以接受 MCP 服务器的变化',
  'mcp.unknown': 'MCP 服务器或工具 `{what}` 还没有使用过',
  'mcp.state-unknown': '这个 requestState 不属于这次调用、已经用过或已经过期；请去掉它重新调用',
  'mcp.changed-again': '显示之后，MCP 服务器又作了修改；请重新查看',

  'account.code-over': '您没有这个关联码：它已失效，或已被新的取代。请重新生成',
  'account.has-one': '您已关联 {service} 账号 {account}；每人在一个服务中只能关联一个账号，请先解除关联',
  'account.many-codes': '一小时内已为您生成 {count} 个关联码，请过一会儿再试',
  'account.code-unsent': '还没有人把关联码发给机器人',
  'account.other-sent': '发送关联码的不是这个账号，请重新查看',
  'account.credential-over': '生成此关联码的凭据已失效，请重新生成',
  'account.code-busy': '修改关联码时它已变化 {count} 次，请重试',
  'account.changed': '此关联已被其他人修改，请重新查看',
  'account.linked': '此账号已关联到 {subject}，请先解除关联',
  'account.others': '只有管理员能用自己的凭据关联他人的账号',
  'account.others-seen': '只有管理员能查看他人的账号',
  'account.configured': '此账号写在配置文件的 {place} 处，请在那里删除',
  'account.not-linked': '您没有关联此编号的 {service} 账号',
  'account.nobody':
    '这个 {service} 账号在这里不属于任何人，因此没有作任何改动。请在配置的 people: 中添加，或关联该账号',
  'account.no-chat': '这里没有配置聊天服务 `{service}`，已配置：{known}',
  'test-card.over': '您没有这张测试卡片，或它已失效',
  'test-card.many': '一小时内已向您发送 {count} 张测试卡片，请过一会儿再试',
  'test-card.unlinked': '您还没有关联 {service} 账号，无处发送测试卡片，请先关联',
  'quiet.times': '起止时间要写成 22:00、07:30 这样的时刻',
  'quiet.zone': '时区要写成 Europe/Amsterdam 这样的名称',
  'quiet.changing': '免打扰时段一直在变化，请重试',
  'quiet.same': '免打扰的起止时间不能相同；如不需要，请留空',
  'push.off': '此服务器没有启用推送，可在配置文件中用 `push:` 启用',
  'demo.none': '此服务器没有演示，可用以下命令启动：banksman start --demo',
  'demo.running': '演示仍在进行：请先处理它的请求，或在“对话”页停止它，再重新运行',

  'policy.admin-only': '只有管理员能启用策略',
  'policy.gone': '{file} 已不存在，请重新查看',
  'policy.changed': '{file} 的内容已与显示时不同，请重新查看',
  'policy.several-servers':
    '共有 {count} 台服务器使用同一份存储（还有 {others}），各有自己的配置文件；请把相同的内容写入每一台的文件，并在那里运行 `banksman trust`',
  'policy.no-trial': '此服务器不能试用策略',
}

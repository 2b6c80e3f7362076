/** 授权放行什么，以及因授权而运行的调用的说明。 */
import type { GRANTS as ENGLISH } from '../../../core/reasons/english/grants.ts'

export const GRANTS: Readonly<Record<keyof typeof ENGLISH, string>> = {
  'grant.exact': '仅限此调用：参数和工作目录都相同',
  'grant.this-call': '仅限此调用',
  'grant.commands': '`{commands}`：星号处可为任何参数，路径限于工作区内',
  'grant.hosts': '{tool}：访问 {hosts}',
  'grant.path': '{tool}：{path}',
  'grant.folder': '{tool}：{folder} 内的任何文件',
  'grant.workspace': '{tool}：工作区内的任何文件',
  'grant.argument': '{tool}：{argument}，其余参数不限',
  'grant.tool': '{tool}，任何参数',
  'allow.granted': '已允许：{grants}。',
  granted: '{by} 于 {at} 批准：{what}，{where}',
  'granted.always': '在所有会话中',
  'granted.session': '在本次会话中',
  'granted.sessions': '在会话 {session} 及其启动的会话中',
  'granted.until': '{where}，有效期至 {until}',
  'granted.once': '{where}，限一次',
  'granted.times': '{where}，限 {count} 次',
}

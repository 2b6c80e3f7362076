/** 人们在对话和编程会话中可能遇到的问题。 */
import type { SESSIONS as ENGLISH } from '../../../core/reasons/english/sessions.ts'

export const SESSIONS: Readonly<Record<keyof typeof ENGLISH, string>> = {
  'name.agent': '智能体',
  'problem.no-session': '没有编号为 `{id}` 的会话',
  'session.not-yours': '会话 `{session}` 属于其他人，请使用您自己的会话编号',
  'session.ended': '会话 `{session}` 已终止，不再执行任何操作',
  'session.ended-by': '会话 `{session}` 已被 {by} 终止，不再执行任何操作',
  'session.ended-because': '会话 `{session}` 已被 {by} 终止（{why}），不再执行任何操作',
  'session.silent': '会话 `{session}` 已终止，不能再发送消息',
  'session.not-yours-unrun': '会话 `{session}` 属于其他人，未执行任何操作',
  'session.ended-unrun': '会话 `{session}` 已终止，未执行任何操作',
  'session.full': '会话 `{session}` 已有 {limit} 个待处理的请求，请先处理或取消其中一些',
  'session.mode-of-owner': '会话 `{session}` 的模式由其所有者 {owner} 或管理员设置',
  'session.mode-not-allowed':
    '模式 {mode} 的审批比默认模式少，而配置不允许使用；如要允许，请在 banksman.yaml 中写上 modes: [{modes}]，或传给 openGateway',
  'session.kept-changing': '终止会话时它一直在变化，请重试',
  'session.is-task': '会话 `{session}` 是 {parent} 的子任务，请到那里与智能体对话',
  'session.exists': '会话 `{session}` 已存在，请换一个名称',
  'session.stopping': '会话 `{session}` 中有一轮已被要求停止，但执行它的进程还没有结束；请稍后再发送',
  'session.other-agent': '会话 `{session}` 是与智能体 `{agent}` 的对话，请在另一个会话中与 `{wanted}` 对话',
  'session.no-agent': '这里没有智能体 `{agent}`，现有：{agents}',
  'agents.none': '无',
  'session.nobody': '没有可对话的智能体：这里尚未配置，请在配置文件的 `agent:` 下指定',
  'session.nobody-here':
    '没有可对话的智能体：这里尚未配置，请在配置文件的 `agent:` 下指定。不过仍可在此答复请求',
  'session.shutting-down': '服务器正在关闭，恢复后会继续这一轮',

  'message.empty': '内容为空，请写下要对智能体说的话',
  'message.long': '内容有 {length} 个字符，上限是 {limit}',
  'media.long': '该媒体文件有 {size} 字节，上限是 {limit}',
  'media.many': '此会话已有 {count} 个媒体文件，上限是 {limit}',
  'media.none': '此会话中没有媒体文件 `{id}`',

  'coding.off': '此服务器没有启用编程会话，可在配置文件中用 `secretary:` 启用',
  'coding.none': '没有编号为 `{id}` 的编程会话',
  'coding.many':
    '{owner} 已有 {count} 个会话开着，上限是 {limit}（secretary.sessionsPerPerson），请先关闭一个',
  'coding.no-agent': '没有能在文件夹中工作的智能体 `{agent}`，现有：{agents}',
  'coding.everybody': '只有管理员能查看所有人的会话',
  'folder.unnamed': '请指定文件夹，会话可用的文件夹：{folders}',
  'folder.name': '文件夹名称中有路径不允许的字符',
  'folder.none': '没有文件夹 `{folder}`，会话可用的文件夹：{folders}',
  'folder.elsewhere': '会话不能在 {folder} 中工作，可用的文件夹：{folders}',
  'folder.own': '{folder} 是 Banksman 自身的文件夹，会话可用的文件夹：{folders}',
  'folder.has-own':
    '{folder} 中有 Banksman 自身的文件夹（{own}）；请指定其下的某个文件夹，或用 --data 把服务器的数据放到别处',
  'folder.several': '有 {count} 个文件夹叫 `{folder}`，请用路径指明：{folders}',
  'folder.moved': '{folder} 现在指向 {found}，已不是会话开始时的位置',
  'folders.none': '没有，配置中的文件夹都不存在',
  'coding.busy': '会话 `{session}` 正被多方同时修改',
}

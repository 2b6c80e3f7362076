/** 人们在做决定时可能遇到的问题：哪里不对，怎样才对。 */
import type { PROBLEMS as ENGLISH } from '../../../core/reasons/english/problems.ts'

export const PROBLEMS: Readonly<Record<keyof typeof ENGLISH, string>> = {
  'problem.changed': '请求在显示之后已有变化，请重新加载后再决定',
  'problem.others-decide': '您可以查看此请求，但无权审批：规则 `{rules}` 指定了其他审批人。请求仍待处理',
  'problem.decision': '此请求不接受“{decision}”，可选：{allowed}',
  'problem.scope': '此请求不接受有效范围“{scope}”，可选：{allowed}',
  'problem.suggestion': '此请求不提供授权选项 `{found}`，可选：{allowed}',
  'problem.edit-denied': '策略禁止修改后的调用：{why}',
  'problem.edit-others': '只有在每条相关规则下都有审批权的人，才能修改此调用',
  'problem.edit-ruled-out': '修改后的调用适用一条不允许修改的规则',
  'problem.others-cancel': '您可以查看此请求，但无权取消',
  'problem.others-settle': '您无权为此请求补记结果',
  'problem.others-grant': '只有能审批此请求的人，才能查看可以随之授权的内容',
  'problem.others-uncover': '只有能审批此请求的人，才能查看隐藏的值',
  'problem.erased': '参数已过保留期，已删除',
  'problem.no-request': '没有编号为 `{id}` 的请求',
  'problem.no-grant': '没有编号为 `{id}` 的授权',
  'problem.of-request': '请求 {id}：{why}',
  'problem.nothing-decided': '请求 {id}：{why}。没有作出决定',
  'problem.kept-changing': '提交决定时请求一直在变化，请重试',

  'problem.not-in-chat': '不能在聊天中批准：{why}。请在收件箱中打开并批准（{place}）。请求仍待处理',
  'problem.uncover-one':
    '有一个值因名称疑似机密而隐藏，其中可能不只是机密（{values}）：请在收件箱中打开请求（{place}），查看该值后再批准。请求仍待处理',
  'problem.uncover':
    '有 {count} 个值因名称疑似机密而隐藏，其中可能不只是机密（{values}）：请在收件箱中打开请求（{place}），查看这些值后再批准。请求仍待处理',
  'hidden.uncover-first': '其中有一个值须先查看',
  'hidden.unknown-tool': '其中有一个值被隐藏，而该工具不在目录中',

  'problem.edit-mask':
    '修改后的值（{pointer}）中有改动过的或来自别处的遮盖标记；要保留机密，请原样保留遮盖标记，否则请填写新的值',
  'problem.edit-notation':
    '修改后的值（{pointer}）含有 `{part}`，那只是界面用来标示不可见或省略内容的写法；请填写值本身',
  'problem.edit-deep': '修改后的值（{pointer}）嵌套超过 {limit} 层',
  'problem.schema-unreadable': '无法读取该工具的参数格式说明，因此无法检查修改后的参数：{why}',
  'problem.schema-misfit': '修改后的参数不符合该工具的参数格式：{issues}',

  'problem.no-answer': '问题 `{question}` 还没有回答',
  'problem.answer-long': '问题 `{question}` 的回答最多 {limit} 个字符',
  'problem.answer-options': '问题 `{question}` 只能从选项中选择，不能自行填写',
  'problem.answer-not-option': '`{found}` 不是问题 `{question}` 的选项，可选：`{allowed}`',
  'problem.answer-one': '问题 `{question}` 只能选一项，现在选了 {count} 项',
  'problem.words-long': '{field} 最多 {limit} 个字符',

  'problem.not-recorded': '目前无法记录调用，因此一律不放行：{why}',
  'problem.internal': '服务器内部出错，详情已写入服务器日志',
  'problem.store': '目前无法读写服务器的数据，请稍后再试（{why}）',
  'problem.store-full': '服务器的磁盘或数据库已满，无法写入（{why}）',
  'problem.store-broken': '服务器的数据无法使用，请联系管理员（{why}）',
  'problem.closing': '服务器正在关闭，请等它恢复后再试（{why}）',
  'problem.connections': '此凭据已打开 {limit} 个连接，请关闭一些，或共用一个连接',
  'problem.door-busy': '{path} 正在处理 {count} 个请求，请稍后再试',
  'problem.body-long': '发送的内容超过 {limit} 字节的上限。内容较大时，请放进文件让工具读取',
}

/** 人们在做决定时可能遇到的问题：哪里不对，怎样才对。 */
import type { PROBLEMS as ENGLISH } from '../../../core/reasons/english/problems.ts'

export const PROBLEMS: Readonly<Record<keyof typeof ENGLISH, string>> = {
  'problem.changed': '请求在显示之后已有变化，请重新加载后再决定',
  'problem.others-decide': '您可以查看此请求，但不能决定：规则 `{rules}` 指定了其他审批人。请求仍在等待',
  'problem.decision': '此请求不接受 {decision}，可选：{allowed}',
  'problem.scope': '此请求不接受有效范围 {scope}，可选：{allowed}',
  'problem.edit-denied': '策略拒绝修改后的调用：{why}',
}

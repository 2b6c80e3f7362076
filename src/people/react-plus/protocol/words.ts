/**
 * What this channel says in its own words. Chinese is the protocol's language, and the sentences that its guide prints are
 * kept as they are; English is for who asks for it. The type of both is one: a missing translation does not compile.
 */

import type { TurnStatus } from '../../../core/conversation.ts'
import type { RequestState } from '../../../core/request.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import { type RefusedCallState, sayRefusedState, sayState } from '../../../display/words/request-states.ts'
import { sayTurnStatus } from '../../../display/words/turn-statuses.ts'
import type { DoorRequest } from '../../door.ts'

export interface ReactPlusWords {
  locale: Locale
  approvalTitle: string
  approvalMessage(tool: string): string
  questionTitle: string
  shortened: string
  options: Record<'approve' | 'reject' | 'terminate' | 'decline' | 'answer', OptionWords>
  answerPrompt(questions: string): string
  noWords(calls: number): string
  acting(tool: string): string
  started(tool: string): string
  observing(results: number): string
  refused(tool: string, state: RefusedCallState, because: string): string
  /** The reason is the person's own; empty where they gave none. */
  rejectedByPerson(reason: string): string
  /** The same call again, or one of a kind that a person has barred: nobody was asked. */
  rejectedBefore(tool: string): string
  terminated(reason: string): string
  ended(status: TurnStatus, reason: string): string
  retried(attempt: number, of: number): string
  interrupted(by: string): string
  /** A question that is over, in a line: what became of it, and not of the call. */
  settled(state: RequestState, by: string | undefined): string
  stream: { nothingRuns: string; badPlace: string; unknownTurn: string; sessionEnded: string }
  responses: {
    resumed: string
    terminated: string
    voted: string
    missing(field: string): string
    failed(reason: string): string
    notJson: string
    notObject: string
    notText(field: string): string
    unknownRequest: string
    unknownOption(option: string, options: string): string
    noRetry: string
    decidedBy(by: string, decided: string): string
    answers: string
    answerLines(count: number): string
  }
}

interface OptionWords {
  label: string
  description: string
  inputPrompt: string | null
}

/** Chinese unless English is asked for by name: browsers say so, and most programs say nothing. */
export function wordsOf(request: Pick<DoorRequest, 'locale' | 'header'>): ReactPlusWords {
  const asked = /(^|[\s,])en\b/i.test(request.header('accept-language') ?? '')
  return WORDS[request.locale === 'en' && asked ? 'en' : 'zh']
}

function withReason(text: string, reason: string): string {
  return reason.trim() === '' ? text : `${text}: ${reason}`
}

const ZH: ReactPlusWords = {
  locale: 'zh',
  approvalTitle: '工具执行审批',
  approvalMessage: (tool) => `Agent 请求执行工具: ${tool}`,
  questionTitle: 'Agent 有问题想问您',
  shortened: '参数过长，此处已省略一部分；完整内容请在收件箱中查看',
  options: {
    approve: { label: '同意执行', description: '直接执行该工具', inputPrompt: null },
    reject: {
      label: '拒绝并说明理由',
      description: '不执行该工具，理由会告诉 Agent',
      inputPrompt: '请说明拒绝理由',
    },
    terminate: {
      label: '拒绝并终止对话',
      description: '不执行该工具，并结束整个对话',
      inputPrompt: '请说明终止原因（可选）',
    },
    decline: {
      label: '不回答',
      description: 'Agent 会在没有答案的情况下继续',
      inputPrompt: '请说明理由（可选）',
    },
    answer: { label: '回答', description: '用自己的话回答', inputPrompt: '请输入回答' },
  },
  answerPrompt: (questions) => `请逐行回答，每个问题一行；多选用逗号分隔：${questions}`,
  noWords: (calls) => `模型没有附言，请求调用 ${calls} 个工具`,
  acting: (tool) => `准备执行工具: ${tool}`,
  started: (tool) => `正在执行工具: ${tool}`,
  observing: (results) => `收到 ${results} 个工具结果，继续思考`,
  refused: (tool, state, because) => `工具 ${tool} 未执行（${sayRefusedState(state, 'zh')}）: ${because}`,
  rejectedByPerson: (reason) => withReason('用户拒绝执行工具', reason),
  rejectedBefore: (tool) => `用户此前已拒绝，工具 ${tool} 未执行，也不再询问`,
  terminated: (reason) => withReason('用户终止对话', reason),
  ended: (status, reason) => withReason(`对话结束（${sayTurnStatus(status, 'zh')}）`, reason),
  retried: (attempt, of) => `模型没有应答，正在重试（${attempt}/${of}）`,
  interrupted: (by) => `${by} 中断了执行`,
  settled: (state, by) => `请求：${sayState(state, 'zh')}${by === undefined ? '' : `（${by}）`}`,
  stream: {
    nothingRuns: 'message不能为空；此会话中也没有正在执行的对话可以接续',
    badPlace: 'Last-Event-ID 不是本服务发出的事件编号',
    unknownTurn: '此会话中没有 Last-Event-ID 所指的对话',
    sessionEnded: '对话已结束；如需继续，请换一个 sessionId 开始新的对话',
  },
  responses: {
    resumed: '用户响应已处理，正在恢复执行',
    terminated: '用户响应已处理，对话已终止',
    voted: '您的同意已记录，还需要其他人批准',
    missing: (field) => `${field}不能为空`,
    failed: (reason) => `处理用户响应失败: ${reason}`,
    notJson: '请求体不是 JSON',
    notObject: '请求体必须是一个 JSON 对象',
    notText: (field) => `${field}必须是字符串`,
    unknownRequest: '此会话中没有这个 requestId，它可能已经过期或属于其他会话',
    unknownOption: (option, options) => `没有选项 ${option}；可选: ${options}`,
    noRetry: '不支持 retry；请用 reject 并在 feedback 中说明如何改进，Agent 会重新思考',
    decidedBy: (by, decided) => `已经决定: ${by} ${decided}`,
    answers: 'data.answers 必须是一个对象，每个问题一项',
    answerLines: (count) => `需要 ${count} 行回答，每个问题一行`,
  },
}

const EN: ReactPlusWords = {
  locale: 'en',
  approvalTitle: 'Tool approval',
  approvalMessage: (tool) => `The agent wants to run the tool: ${tool}`,
  questionTitle: 'The agent has a question',
  shortened: 'Long arguments are shortened here; see them in full in the inbox',
  options: {
    approve: { label: 'Approve', description: 'Run the tool', inputPrompt: null },
    reject: {
      label: 'Reject with a reason',
      description: 'The tool does not run, and the agent is told why',
      inputPrompt: 'Reason',
    },
    terminate: {
      label: 'Reject and end the conversation',
      description: 'The tool does not run, and the conversation ends',
      inputPrompt: 'Reason (optional)',
    },
    decline: {
      label: 'No answer',
      description: 'The agent continues without one',
      inputPrompt: 'Reason (optional)',
    },
    answer: { label: 'Answer', description: 'Answer in your own words', inputPrompt: 'Your answer' },
  },
  answerPrompt: (questions) =>
    `One line for each question; several choices are separated by commas: ${questions}`,
  noWords: (calls) => `The model says nothing and calls ${calls} ${calls === 1 ? 'tool' : 'tools'}`,
  acting: (tool) => `Wants to run ${tool}`,
  started: (tool) => `Running ${tool}`,
  observing: (results) => `${results} ${results === 1 ? 'result' : 'results'} received; continuing`,
  refused: (tool, state, because) => `${tool} did not run (${sayRefusedState(state, 'en')}): ${because}`,
  rejectedByPerson: (reason) => withReason('A person rejected the call', reason),
  rejectedBefore: (tool) => `${tool} did not run: a person rejected it before, and isn't asked again`,
  terminated: (reason) => withReason('A person ended the conversation', reason),
  ended: (status, reason) => withReason(`The turn ended (${sayTurnStatus(status, 'en')})`, reason),
  retried: (attempt, of) => `The model did not answer; trying again (${attempt} of ${of})`,
  interrupted: (by) => `${by} interrupted`,
  settled: (state, by) => `Request: ${sayState(state, 'en')}${by === undefined ? '' : ` (${by})`}`,
  stream: {
    nothingRuns: 'message must not be empty: no turn runs in this session that could be followed',
    badPlace: 'Last-Event-ID is not the id of an event of ours',
    unknownTurn: 'Last-Event-ID names no turn of this session',
    sessionEnded: 'The conversation has ended; choose another sessionId to begin a new one',
  },
  responses: {
    resumed: 'Your answer was recorded; the agent continues',
    terminated: 'Your answer was recorded; the conversation has ended',
    voted: 'Your approval was recorded; others must approve too',
    missing: (field) => `${field} must not be empty`,
    failed: (reason) => `Your answer was not recorded: ${reason}`,
    notJson: 'the body is not JSON',
    notObject: 'the body must be a JSON object',
    notText: (field) => `${field} must be a string`,
    unknownRequest: "there is no such requestId in this session; it may be over, or another session's",
    unknownOption: (option, options) => `there is no option ${option}; there are ${options}`,
    noRetry:
      'retry is not supported; reject and say in feedback what would be better: the agent thinks again',
    decidedBy: (by, decided) => `already decided: ${by} ${decided}`,
    answers: 'data.answers must be an object with one member for each question',
    answerLines: (count) => `${count} lines are needed, one for each question`,
  },
}

const WORDS: Readonly<Record<Locale, ReactPlusWords>> = { en: EN, zh: ZH }

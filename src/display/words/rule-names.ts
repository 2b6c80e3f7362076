/**
 * The rules that nobody wrote: modes, and what is built in. Their names are ids, which stay as they are in the API and on the record;
 * people are told what they are called. A rule of the policy is called as its author calls it.
 */
import type { Locale } from './rendering-words.ts'

/** Undefined where somebody wrote the rule. */
export function sayOwnRule(rule: string, locale: Locale): string | undefined {
  const { names, steers, starter } = WORDS[locale]
  const name = Object.hasOwn(names, rule) ? names[rule as OwnRuleName] : undefined
  if (name !== undefined) return name
  if (rule.startsWith(STEERS)) return steers(rule.slice(STEERS.length))
  return rule.startsWith(STARTER) ? starter(rule.slice(STARTER.length)) : undefined
}

export function sayRule(rule: string, locale: Locale): string {
  return sayOwnRule(rule, locale) ?? rule
}

const STEERS = 'built-in: steers '
const STARTER = 'starter: '

type OwnRuleName = keyof typeof ENGLISH

interface RuleWords {
  names: Readonly<Record<OwnRuleName, string>>
  /** Of a group of files that control what programs do. */
  steers(group: string): string
  /** Of a program that the starter policy knows. */
  starter(program: string): string
}

const ENGLISH = {
  'mode: default': 'default mode',
  'mode: acceptEdits': 'accept-edits mode',
  'mode: plan': 'plan mode',
  'mode: dontAsk': "don't-ask mode",
  'mode: bypass': 'bypass mode',
  'mode: unknown': 'unknown mode',
  'built-in: not known beforehand': "built-in: can't be checked in advance",
  'built-in: not understood': "built-in: can't be fully checked",
  'built-in: reads below': 'built-in: reads what a rule denies',
  'built-in: own files': "built-in: Banksman's own files",
  'built-in: own files inside': "built-in: Banksman's own files",
  'built-in: own address': "built-in: Banksman's own address",
  'built-in: own program': 'built-in: Banksman itself',
  'built-in: unreadable call': "built-in: can't be checked",
  'built-in: unreadable name': 'built-in: unreadable tool name',
  'always asked': 'always needs approval',
}

const WORDS: Readonly<Record<Locale, RuleWords>> = {
  en: {
    names: ENGLISH,
    steers: (group) => `built-in: files that control programs (${group})`,
    starter: (program) => `built-in: ${program}`,
  },
  zh: {
    names: {
      'mode: default': '默认模式',
      'mode: acceptEdits': '接受修改模式',
      'mode: plan': '计划模式',
      'mode: dontAsk': '不询问模式',
      'mode: bypass': '全部放行模式',
      'mode: unknown': '未知模式',
      'built-in: not known beforehand': '内置：无法预先判断',
      'built-in: not understood': '内置：无法解析',
      'built-in: reads below': '内置：会读取规则禁止的内容',
      'built-in: own files': '内置：Banksman 自身的文件',
      'built-in: own files inside': '内置：Banksman 自身的文件',
      'built-in: own address': '内置：Banksman 自身的地址',
      'built-in: own program': '内置：Banksman 自身',
      'built-in: unreadable call': '内置：无法检查',
      'built-in: unreadable name': '内置：工具名称无法显示',
      'always asked': '始终需要审批',
    },
    steers: (group) => `内置：控制程序行为的文件（${group}）`,
    starter: (program) => `内置：${program}`,
  },
}

/**
 * What a rendering says in its own words, in English and Chinese. The type of the English words is the type of
 * all: a missing or misshapen translation does not compile.
 *
 * Masks, escapes and marks of shortening are not here. They stand inside values, where they must be the same for
 * everyone, since an edit is checked against them.
 */

import type { IntentKind } from '../../core/rendering.ts'
import { sayHiddenCharacter } from './hidden-characters.ts'

export type Locale = 'en' | 'zh'

export interface RenderingWords {
  /** What is done, with what it is done to. */
  verbs: Readonly<Record<Exclude<IntentKind, 'question' | 'other'>, (gist: string) => string>>
  /** Before the tool's name. */
  tool: string
  workingFolder: string
  toolDescription: string
  realPath(key: string): string
  change(before: string, after: string): string
  newFile(key: string): string
  replacedFile(key: string): string
  comparedWithFile(key: string): string
  changeInFile: string
  moreArguments(count: number): string
  lineCount(count: number): string
  unterminated: string
  noArguments: string
  warnings: {
    hidden(names: string): string
    /** One kind of hidden character, by its name. */
    hiddenName(name: string): string
    mixed(words: string): string
    rightToLeft: string
    masked(count: number): string
    mustUncover(count: number): string
    shortened(count: number): string
    notCompared: string
    notInFile: string
    moreKinds(count: number): string
  }
}

export function renderingWords(locale: Locale = 'en'): RenderingWords {
  return WORDS[locale]
}

const EN: RenderingWords = {
  verbs: {
    command: (gist) => `Run ${gist}`,
    write: (gist) => `Write ${gist}`,
    edit: (gist) => `Edit ${gist}`,
    read: (gist) => `Read ${gist}`,
    fetch: (gist) => `Open ${gist}`,
    mail: (gist) => `Send mail to ${gist}`,
  },
  tool: 'Tool: ',
  workingFolder: 'Working folder',
  toolDescription: 'Tool description',
  realPath: (key) => `${key}, in full`,
  change: (before, after) => `${before} → ${after}`,
  newFile: (key) => `${key} (a new file)`,
  replacedFile: (key) => `${key} (replaces the file)`,
  comparedWithFile: (key) => `${key} (compared with the current file)`,
  changeInFile: 'Change in the file',
  moreArguments: (count) => `${count} more ${count === 1 ? 'argument' : 'arguments'}`,
  lineCount: (count) => (count === 1 ? '1 line' : `${count} lines`),
  unterminated: 'no line break at the end',
  noArguments: 'no arguments',
  warnings: {
    hidden: (names) => `Hidden characters, spelled out in brackets: ${names}`,
    hiddenName: (name) => name,
    mixed: (words) => `Words with look-alike characters: ${words}`,
    rightToLeft: 'Right-to-left text: the order on the screen may differ from the order in which it runs',
    masked: (count) => (count === 1 ? 'One secret is masked' : `${count} secrets are masked`),
    mustUncover: (count) =>
      count === 1
        ? 'One value is hidden because of its name, but may not be a secret: uncover it before you approve'
        : `${count} values are hidden because of their names, but may not be secrets: uncover them before you approve`,
    shortened: (count) =>
      count === 1
        ? 'One value is shortened; view it in full'
        : `${count} values are shortened; view them in full`,
    notCompared: 'Too different to compare line by line: all old lines, then all new lines',
    notInFile: "The text to replace isn't in the current file, or is there more than once",
    moreKinds: (count) => `and ${count} more`,
  },
}

const ZH: RenderingWords = {
  verbs: {
    command: (gist) => `执行 ${gist}`,
    write: (gist) => `写入 ${gist}`,
    edit: (gist) => `修改 ${gist}`,
    read: (gist) => `读取 ${gist}`,
    fetch: (gist) => `访问 ${gist}`,
    mail: (gist) => `发送邮件给 ${gist}`,
  },
  tool: '工具：',
  workingFolder: '工作目录',
  toolDescription: '工具说明',
  realPath: (key) => `${key} 的完整路径`,
  change: (before, after) => `${before} → ${after}`,
  newFile: (key) => `${key}（新文件）`,
  replacedFile: (key) => `${key}（替换原有文件）`,
  comparedWithFile: (key) => `${key}（与现有文件对比）`,
  changeInFile: '文件中的改动',
  moreArguments: (count) => `另有 ${count} 个参数`,
  lineCount: (count) => `${count} 行`,
  unterminated: '末尾没有换行',
  noArguments: '没有参数',
  warnings: {
    hidden: (names) => `含有不可见字符，已在原处标出：${names}`,
    hiddenName: (name) => sayHiddenCharacter(name, 'zh'),
    mixed: (words) => `有些词含有易混淆的字符：${words}`,
    rightToLeft: '含有从右到左的文字：屏幕上的顺序可能与实际执行的顺序不同',
    masked: (count) => `有 ${count} 处机密已遮盖`,
    mustUncover: (count) => `有 ${count} 个值因名称疑似机密而隐藏，但未必是机密：批准前请先查看`,
    shortened: (count) => `有 ${count} 个值已截短，请查看全文`,
    notCompared: '差异太大，无法逐行对比：先列出全部旧内容，再列出全部新内容',
    notInFile: '要替换的文字在现有文件中找不到，或不止一处',
    moreKinds: (count) => `另有 ${count} 种`,
  },
}

const WORDS: Readonly<Record<Locale, RenderingWords>> = { en: EN, zh: ZH }

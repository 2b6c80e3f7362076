import { translatedWords } from '../../words/translated-words.ts'

export interface EditWords {
  label: string
  modes: Record<'form' | 'json', string>
  mode: string
  cantSwitch: string
  tooLarge: string
  json: string
  jsonHint: string
  place(line: number, column: number): string
  wanted: Record<'number' | 'integer', string>
  required: string
  optional: string
  add(name: string): string
  more: string
  notOffered(count: number): string
  remove(name: string): string
  addItem: string
  item(index: number): string
  yes: string
  no: string
  none: string
  asJson: string
  hidden: string
  masked: string
  replace: string
  changes: string
  /** What will run, where it is put together of a list. */
  line: string
  nothing: string
  kind: Record<'changed' | 'added' | 'removed', string>
  leftOut(count: number): string
  notCompared(before: number, after: number): string
  moreChanges(count: number): string
  later: string
  onlyEnd: string
  wrongField: string
  approve: string
  outdated: string
  keep: string
  startAgain: string
  checking: string
  denied: string
  asks: string
  allows: string
  newRules: string
  unchecked: string
  warnings: string
  noPreview: string
  raised: string
  notKnown: string
  misfit: string
  moreIssues(count: number): string
}

export const EDIT_WORDS = translatedWords<EditWords>(
  {
    label: 'Edit the call',
    modes: { form: 'Form', json: 'JSON' },
    mode: 'How to edit',
    cantSwitch: "Fix what can't be read first, so that nothing is lost.",
    tooLarge: 'Too large for a form. Edit it as JSON.',
    json: 'Arguments as JSON',
    jsonHint:
      'Hidden characters are written out, like \\u200b. A mask that you leave unchanged keeps its value.',
    place: (line, column) => `Line ${line}, column ${column}:`,
    wanted: { number: 'Enter a number.', integer: 'Enter a whole number.' },
    required: 'required',
    optional: 'optional',
    add: (name) => `Add ${name}`,
    more: 'Optional arguments',
    notOffered: (count) => `${count} more: use JSON`,
    remove: (name) => `Remove ${name}`,
    addItem: 'Add an item',
    item: (index) => `Item ${index}`,
    yes: 'yes',
    no: 'no',
    none: 'Empty.',
    asJson: 'as JSON',
    hidden: 'This contains hidden characters. They are written out under the changes.',
    masked: 'Masked. Unchanged, it keeps its value.',
    replace: 'Replace',
    changes: 'Your changes',
    line: 'Command that runs',
    nothing: 'No changes yet.',
    kind: { changed: 'changed', added: 'added', removed: 'removed' },
    leftOut: (count) => `${count} more lines not shown`,
    notCompared: (before, after) =>
      `Too long to compare: ${before} characters of the original and ${after} of your version are not shown.`,
    moreChanges: (count) =>
      count === 1 ? '1 more change is not shown.' : `${count} more changes are not shown.`,
    later: 'Your version is compared when you stop typing.',
    onlyEnd: 'Only the line break at the end differs.',
    wrongField: "Something above can't be read yet.",
    approve: 'Approve the changed call',
    outdated: 'The call changed while you were editing. Your version is still here.',
    keep: 'Keep my version',
    startAgain: 'Start over from the new call',
    checking: 'Checking your version against the policy…',
    denied: 'The policy denies your version:',
    asks: 'Your version needs approval too. You can approve it.',
    allows: 'The policy allows your version without approval.',
    newRules: 'More rules require approval for your version than for the original:',
    unchecked: "These parts of the tool's schema can't be checked safely, and were skipped:",
    warnings: 'Look closely at your version',
    noPreview: "The policy can't check your version right now. It will be checked when you send it.",
    raised: 'Your version is riskier than the original:',
    notKnown: "The policy hasn't checked your version. It may be riskier than the original.",
    misfit: "It doesn't match the tool's schema:",
    moreIssues: (count) => `and ${count} more`,
  },
  {
    label: '修改调用',
    modes: { form: '表单', json: 'JSON' },
    mode: '修改方式',
    cantSwitch: '请先改正无法读取的内容，以免丢失。',
    tooLarge: '参数过大，无法用表单修改，请改用 JSON。',
    json: '参数（JSON）',
    jsonHint: '不可见字符会写成 \\u200b 这样的形式。遮盖处不改动则保留原值。',
    place: (line, column) => `第 ${line} 行，第 ${column} 列：`,
    wanted: { number: '此处应为数字。', integer: '此处应为整数。' },
    required: '必填',
    optional: '可选',
    add: (name) => `添加 ${name}`,
    more: '可选参数',
    notOffered: (count) => `另有 ${count} 项，请用 JSON 填写`,
    remove: (name) => `移除 ${name}`,
    addItem: '添加一项',
    item: (index) => `第 ${index} 项`,
    yes: '是',
    no: '否',
    none: '没有内容。',
    asJson: '用 JSON 填写',
    hidden: '其中有不可见字符，已在下方的改动中标出。',
    masked: '已遮盖。不改动则保留原值。',
    replace: '替换',
    changes: '改动',
    line: '实际运行的命令行',
    nothing: '尚未改动。',
    kind: { changed: '已改', added: '新增', removed: '已移除' },
    leftOut: (count) => `还有 ${count} 行未在此显示`,
    notCompared: (before, after) =>
      `内容过长，未全部比较：原内容有 ${before} 个字符、修改后有 ${after} 个字符未在此显示。`,
    moreChanges: (count) => `还有 ${count} 处改动未在此显示。`,
    later: '停止输入后会显示改动。',
    onlyEnd: '只有末尾的换行不同。',
    wrongField: '上面还有无法读取的内容。',
    approve: '按修改批准',
    outdated: '您修改期间，调用已有变化。您的修改仍保留。',
    keep: '保留我的修改',
    startAgain: '放弃修改，从新内容开始',
    checking: '正在按策略检查修改后的调用…',
    denied: '策略禁止修改后的调用：',
    asks: '修改后的调用同样需要审批，您可以批准。',
    allows: '按策略，修改后的调用无需审批。',
    newRules: '与原调用相比，修改后又有这些规则要求审批：',
    unchecked: '工具参数定义中的以下部分无法安全检查，已跳过：',
    warnings: '请留意修改后的内容',
    noPreview: '暂时无法按策略检查修改后的调用，发送时会再检查。',
    raised: '修改后的调用风险更高：',
    notKnown: '尚未按策略检查修改后的调用，风险可能更高。',
    misfit: '不符合该工具的参数要求：',
    moreIssues: (count) => `另有 ${count} 处`,
  },
)

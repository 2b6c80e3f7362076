/** 导入其他程序的策略时有哪些不同。对方的文字按 JSON 的写法原样引用。 */
import type { IMPORTS as ENGLISH } from '../../../core/reasons/english/imports.ts'

export const IMPORTS: Readonly<Record<keyof typeof ENGLISH, string>> = {
  'import.dropped': '未导入：{about}',
  'import.stricter': '变得更严格：{about}',
  'import.changed': '有变化：{about}',
  'import.in-file': '{file}：{why}',
  'import.not-json': '{file}：无法按 JSON 读取；解析器的英文提示：“{why}”',
  'import.in-file-at': '{file} 的 {pointer}：{why}',
  'import.none': '没有找到其他程序的策略；查找过的位置：{places}',
  'import.several': '文件中有多个程序的策略（{found}）；请指明要导入哪一个',
  'import.differ': '文件中有几处写法不一致：{found}；请只保留需要的那一处',

  'foreign.object': '{what} 必须是对象，可用的键有 {keys}；实际是{found}',
  'foreign.tools': '{what} 必须是工具的列表；实际是{found}',
  'foreign.text': '{what} 必须是文本；实际是{found}',
  'foreign.one-of': '{what} 必须是 {words} 之一；实际是{found}',
  'foreign.action': '操作必须是 allow、ask 或 deny；实际是{found}',
  'foreign.actions': '{what} 必须是 allow、ask 或 deny，或者是对象；实际是{found}',
  'foreign.key': '未知的键 {key}；是否想写 {near}？',
  'foreign.entry': '{entry} 既不是 Tool 也不是 Tool(…) 的形式，无法确定它要拦截什么',
  'codex.not-text': '规则必须是 *.rules 文件的文本',
  'codex.long': '文件超过 1 MB',
  'codex.twice': '第 {line} 行：{key} 重复了',
  'codex.expected': '第 {line} 行：此处应为{wanted}，实际是{found}。只能读取由文本和列表组成的调用',
  'codex.value': '文本或列表',
  'codex.call': ' prefix_rule(…) 这样的调用',
  'codex.end': '文件末尾',
  'codex.argument': '{rule} 有未知的参数 {key}；可用的有 {keys}',
  'codex.decision': '{rule} 的 decision 必须是 {words} 之一',
  'codex.pattern': '{rule} 的 pattern 必须是词的列表，且不能为空',
  'codex.word': '{rule} 的 pattern 中，每个词必须是文本或文本的列表',
  'codex.many': '{rule} 的 pattern 展开后超过 {limit} 种开头；请写成多条规则',

  'note.entry': '{list} 中的 {entry}',
  'note.entry-of': '{of} 的 {entry}',
  'note.left-out': '{entry} {why}，已略去',
  'note.widened': '{entry} {why}，在这里针对 {tool} 的所有调用',
  'note.gap': '{entry}：{why}',
  'why.path': '的路径在这里无法表示',
  'why.skipped': '会被 Claude Code 跳过，那里不允许括号',
  'why.specifier': '的限定内容含义不明',
  'why.file-tool': '会被 Claude Code 忽略，它对文件使用 {tool}(…)',
  'why.no-domain': '不是 WebFetch(domain:…) 的形式',
  'why.no-host': '没有指明主机：* 只能放在开头，且不带端口',
  'why.two-commands': '不止一条命令，而这里一项只对应一条命令，请分开写',
  'why.variable': '为命令设置了变量，这里没有写法可以允许这样做',
  'why.program-path': '用带通配符的路径指定程序，这里运行这类程序需要审批',
  'why.star-inside': '在末尾的 * 之前还有一个 *，在这里会匹配更多内容',
  'why.star-early': '的 * 不在末尾',
  'why.too-long': '太长',
  'note.exception': '{entry} 是对前面各项的例外，没有导入',
  'note.only-there': '{entry} 原本也包括更深层的内容；在这里只包括直接位于其中的。要包括全部，请写 {right}',
  'note.wild': '{entry} 中有这里不支持的通配符或符号，已改用 *，会匹配更多内容',
  'note.any-tool':
    '{entry} 中的 * 可能代表任何工具，Claude Code 会跳过它；已略去。请写明工具，或写明服务器，例如 mcp__github__*',
  'note.typed': '{entry} 针对人在 Claude Code 中输入的命令，没有导入',
  'note.ignored': '{entry} 会被 Claude Code 忽略；在这里按 {right} 生效',
  'note.whole-line':
    '{entry} 不止一条命令，会与整行文字比较，换一种写法就不会匹配。最好只写关键的命令，例如 Bash(curl *)',
  'note.variables': '{entry} 针对该命令，无论为它设置了什么变量',
  'note.no-tool': '{entry} 既不是 Tool 也不是 Tool(…) 的形式，已略去',
  'note.unknown-key': '这里不认识 {key}，没有导入',
  'note.ask-denied':
    '在此模式下，Claude Code 会禁止 ask 中的内容，因此 ask 的各项已放入 deny。如果改用其他模式，请移回 ask',
  'note.claude-reads':
    'Claude Code 不需要规则就能读取工作区的文件、运行只读命令；在这里，未获允许的都需要审批。`extends: banksman:starter` 会允许它们',
  'note.claude-reads-denied':
    'Claude Code 不需要规则就能读取工作区的文件、运行只读命令；在这里，未获允许的都会被禁止。`extends: banksman:starter` 会允许它们',
  'note.instead-of-prompting': 'denyInsteadOfPrompting 会禁止需要审批的操作，在这里对应 mode: dontAsk',
  'note.accept-edits':
    'acceptEdits 允许修改工作区内的文件，但在这里不包括 mkdir、mv 等 Shell 命令：请自行加上要允许的命令',
  'note.plan': 'plan 只允许只读的工具，其余禁止；要退出此模式，由审批人设置会话的模式',
  'note.auto': 'auto 由模型判断每次调用，这里不支持；已改为 mode: default，由人决定',
  'note.unknown-mode': '未知的模式 {mode}；已改为 mode: default，需要审批',
  'note.bypass-off': 'bypassPermissions 已被 disableBypassPermissionsMode 关闭；已改为 mode: default',
  'note.bypass':
    'bypassPermissions 在这里对应 mode: bypass：凡是 deny 和 ask 未涉及的调用，都会不经审批直接执行。只应在没有其他内容的机器上使用；更安全的是 `extends: banksman:starter` 加上 mode: default',
  'note.roots':
    '工作区的其他文件夹请写在 policy: 旁边的 roots: 下，例如 roots: [., {folders}]；在此之前它们不属于工作区',

  'note.not-a-key': '{key} 不是 toolApproval 的键，LibreChat 也会忽略它',
  'note.not-enabled':
    'enabled 不是 true，因此 LibreChat 不经审批就运行所有工具。在这里策略始终生效：名单和模式都有效。要允许名单没有提到的工具，请写 mode: bypass',
  'note.hooks':
    'hooks 是程序而不是策略，没有导入。它们只能禁止或要求审批：请把它们拦截的内容写进 deny、ask 或 rules',
  'note.librechat-mode': 'LibreChat 没有模式 {mode}，会当作 default 处理；在这里改为 default',
  'note.empty-entry': '{list} 中有一个空项，没有指明工具，已略去',
  'note.literal-allow': '{entry} 原本整个是工具的名称，而在这里括号表示工具的参数，会允许更多内容；已略去',
  'note.literal': '{entry} 原本整个是工具的名称；在这里，如果括号前是已知的工具，就表示该工具的参数',
  'note.mcp':
    '{entry} 在 LibreChat 中不匹配任何 MCP 服务器的工具：它们的名称形如 {name}；要表示该服务器的全部工具，请写 {right}',
  'note.ask-allowed':
    '在 mode: dontAsk 下，只有 allow 中的调用才可能需要审批，因此 ask 的各项也放进了 allow。如果从 ask 中去掉一项，请同时从 allow 中去掉',
  'note.question-tool': 'LibreChat 自己的 {tool} 从不需要审批；如果您的智能体有这个工具，请加入 allow',
  'note.reason-blank': 'reason 只有空格，已略去',
  'note.reason-long': 'reason 超过 {limit} 个字符，已略去',
  'note.reason':
    'reason 会在调用需要审批时显示；禁止时显示的是起作用的规则。要显示别的文字，请写一条 then: deny 的规则并附上 reason',

  'note.auto-mode':
    'AUTO 会直接运行所有工具，在这里对应 mode: bypass；您禁止的仍然禁止。更好的起点是 `extends: banksman:starter` 加上 mode: default，它会放行只读操作',
  'note.disabled-mode':
    'DISABLED 按其文档理解为：不运行任何工具。该程序实际上当作“无需审批”，会运行所有工具；如果您需要的是后者，请写 mode: bypass，更好的是 `extends: banksman:starter`',

  'codex.rule': '第 {line} 行的 prefix_rule',
  'note.codex-call': '第 {line} 行的 {call} 在这里没有对应的写法，没有导入',
  'note.codex-sandbox':
    'Codex 会在沙箱中不经审批运行规则没有提到的命令；在这里，未获允许的都需要审批。`extends: banksman:starter` 会允许只读命令',
  'note.justification': '{rule} 的 justification 不会在这里显示：{text}。要显示它，请写一条带 reason: 的规则',
  'note.codex-word': '{entry} 中有一个词无法写成模式，已略去',
  'note.codex-every': '{entry} 中有一个词无法写成模式，在这里针对所有命令',
  'note.codex-wider': '{entry} 中有一个词无法写成模式，在这里针对所有 {right}',

  'note.opencode-runs':
    'opencode 不需要规则就会运行大多数工具；在这里，未获允许的都需要审批。`extends: banksman:starter` 会允许只读命令',
  'note.all-denied': '除 {others} 外全部禁止；这里的禁止没有例外，因此会全部禁止',
  'note.denied-but': '{tool} 除 {others} 外全部禁止；这里的禁止没有例外，因此会全部禁止',
  'note.before-star': '{tool} 写在 "*" 之前，而在那里 "*" 对它也有效',
  'note.doom-loop': '"doom_loop" 针对重复的调用，没有导入',
  'note.outside': '"external_directory" 的模式在这里含义不同；对工作区以外的所有路径一律为 {list}',
  'note.never-count': '{tool} 中写在 "*" 之前的模式在那里从不生效，已略去',
  'note.pattern-dropped': '{entry} 这个模式在这里含义不同，没有放进 allow',
  'note.pattern-wider': '{entry} 这个模式在这里含义不同，在这里针对 {tool} 的所有调用',
  'beside.hooks': 'hooks 是程序而不是策略，没有导入；请把它们拦截的内容写进 deny、ask 或 rules',
  'beside.sandbox': '沙箱由操作系统执行，没有导入；在 Claude Code 运行的地方，它与本策略同时有效',
  'beside.env': 'env 为 Claude Code 设置变量，不是策略，没有导入',
  'beside.agent': '各个智能体单独的权限没有导入；请为它们写带 agent: 的规则',
  'beside.mode': '各个模式单独的权限没有导入；请为它们写带 agent: 的规则',
  'beside.tools': '已关闭的工具在 opencode 中仍然关闭，没有导入',
  'beside.plugin': '插件是程序而不是策略，没有导入',
}

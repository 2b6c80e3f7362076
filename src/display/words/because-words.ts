/**
 * The sentences of the policy that have nothing in them but our own words, or words around something quoted, each with what it
 * is in Chinese. See `because.ts`.
 */

import { steeringGroups } from './steering-words.ts'

/** A pattern for the whole sentence, and what it is in Chinese. */
export type Sentence = readonly [english: RegExp, chinese: (...parts: string[]) => string]

export const DOUBTS: readonly { kind: string; english: string; chinese: string }[] = [
  { kind: 'unparsable', english: 'the line could not be read', chinese: '这行命令无法解析' },
  { kind: 'too long', english: 'the line is too long to be checked', chinese: '这行命令太长，无法检查' },
  {
    kind: 'control character',
    english: 'there is a control character in the line',
    chinese: '这行命令含有控制字符',
  },
  {
    kind: 'unknown program',
    english: 'which program runs is known only when the line runs',
    chinese: '执行时才知道运行的是哪个程序',
  },
  {
    kind: 'program by path',
    english: 'the program is outside the folders of the system',
    chinese: '该程序不在系统目录中',
  },
  { kind: 'assignment', english: 'it sets a variable', chinese: '它设置了变量' },
  { kind: 'inline code', english: 'it runs code that is not looked into', chinese: '它运行的代码未经检查' },
  { kind: 'expansion', english: 'an expansion in it may run code', chinese: '其中的展开可能运行代码' },
  { kind: 'connection', english: 'it opens a connection', chinese: '它会打开网络连接' },
  { kind: 'redefinition', english: 'it changes what names mean', chinese: '它改变了名称的含义' },
  {
    kind: 'unknown wrapper',
    english: 'what it runs could not be made out',
    chinese: '无法确定它运行的是什么',
  },
]

/** What of the arguments is not understood. */
export const STRANGE: readonly Sentence[] = [
  [
    /^the argument (`[^`]+`) is not one that it is known to have$/su,
    (name) => `${name} 不是该工具已知的参数`,
  ],
  [
    /^the argument (`[^`]+`) is not of the kind that it is known to take$/su,
    (name) => `参数 ${name} 的值不是该工具已知会接受的类型`,
  ],
]

export const MODE_SENTENCES: readonly (readonly [english: string, chinese: string])[] = [
  ["the session's mode is not one that is known", '会话的模式不是已知的模式'],
  ['only what reads inside the workspace is allowed', '只允许在工作区内读取'],
  ['what is not allowed is denied', '未获允许的一律拒绝'],
  ['edits inside the workspace are accepted', '工作区内的修改可以接受'],
  ['it only reads', '它只是读取'],
  ['all such tools are allowed', '此类工具全部允许'],
  ['the mode allows it', '当前模式允许它'],
]

export const UNKNOWN: ReadonlyMap<string, string> = new Map([
  ['a word of it is known only when the line runs', '其中有的词执行时才能确定'],
  ['the call does not say in which folder it is meant (cwd)', '调用没有说明所在的目录（cwd）'],
  ['where its paths lead was not looked up', '没有查明其中的路径指向哪里'],
  ['something in it can not be compared', '其中有无法比较的内容'],
])

/** Why nothing allows a part of a call, after the words for the part. */
export const MISPLACED: ReadonlyMap<string, string> = new Map([
  [' is outside the roots', '在工作区之外'],
  [' reaches outside the roots', '会超出工作区'],
  [" isn't known to be read-only", '不能确定只是读取'],
  [' deletes files by an option that no allow names', '用一个未获允许的选项删除文件'],
  [' may be given an option that writes or runs something', '可能会带上写文件或运行程序的选项'],
  [
    " can't be checked: the call does not say in which folder it is meant (cwd)",
    '无法检查：调用没有说明所在的目录（cwd）',
  ],
  [
    " can't be checked: it is not known whether it stays inside the roots",
    '无法检查：不能确定它不会超出工作区',
  ],
])

/** What the starter policy says of a command that it denies. */
export const DESTRUCTION: ReadonlyMap<string, string> = new Map([
  ['it writes over a whole disk', '它会覆盖整个磁盘'],
  ['it writes over a disk', '它会覆盖磁盘'],
  ['it empties the database', '它会清空数据库'],
  ['it deletes the data in every volume that no container uses', '它会删除所有未被容器使用的卷中的数据'],
  ['it deletes all that a namespace holds, or all its data', '它会删除命名空间中的一切或其全部数据'],
  ['it deletes a namespace and all that is in it', '它会删除命名空间及其中的一切'],
  ['it takes away the list of parts of a disk', '它会抹去磁盘的分区表'],
  ['it destroys infrastructure', '它会销毁基础设施'],
  [
    'it changes the rights of a whole system or home folder, and what they were is gone',
    '它会更改整个系统或主目录的权限，且无法还原',
  ],
  ['it throws away all that is on a disk', '它会丢弃磁盘上的一切'],
  ['it takes away what makes a disk readable', '它会抹去使磁盘可读的信息'],
  ['it makes a new file system where the old one was', '它会在原有文件系统上新建文件系统'],
  ['it is told not to spare the root of the file system', '它被要求不保留文件系统的根目录'],
  ['it deletes what a vital folder has and the source has not', '它会删除重要目录中来源没有的内容'],
  ['it deletes keys that nobody can make again', '它会删除无法重建的密钥'],
  [
    "it deletes everything in a folder without which the system or a person's work is gone",
    '它会删除某个目录中的一切，系统或个人的成果将随之丢失',
  ],
  ['it deletes everything below a place', '它会删除某处之下的一切'],
  ['it deletes a resource group and all that is in it', '它会删除资源组及其中的一切'],
  ['it deletes a project and all that is in it', '它会删除项目及其中的一切'],
  [
    "it deletes a folder without which the system or a person's work is gone",
    '它会删除某个目录，系统或个人的成果将随之丢失',
  ],
  ['it deletes a bucket and all that is in it', '它会删除存储桶及其中的一切'],
])

export const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['denied', '拒绝'],
  ['asked', '需要询问'],
  ['allowed', '允许'],
  ['not on the allow list', '不在允许名单中'],
  ['rules may match it (unknown until it runs)', '可能有规则适用，执行时才能确定'],
  ['this rule may match it (unknown until it runs)', '此规则可能适用，执行时才能确定'],
  // As an earlier version wrote them on the record.
  ['nothing allows it', '没有规则允许它'],
  ['the mode allows it', '当前模式允许它'],
  ['it only runs what follows it', '它只是运行后面的命令'],
  ['it is not known to only read', '不能确定它只是读取'],
  ['it reads outside the roots', '它会读取工作区之外的内容'],
  ['it is not known whether it reads inside the roots', '不能确定它只读取工作区内的内容'],
  ['its sub-command is not named', '没有写明子命令'],
  ['it may print passwords, keys or tokens', '它可能打印出密码、密钥或令牌'],
  [
    'at a terminal it is shown by a pager, from which commands can be run',
    '在终端中它由分页程序显示，而分页程序里可以运行命令',
  ],
  ['the folder it runs in is known only when the line runs', '执行时才知道它在哪个目录中运行'],
  ['the folder it runs in is not known to be in the workspace', '不能确定它运行的目录在工作区内'],
  ['what it is given to read is known only when the line runs', '执行时才知道它从输入中读到什么'],
  ['which program runs is known only when the line runs', '执行时才知道运行的是哪个程序'],
  ['rules may be about it, which can not be told beforehand', '可能有规则涉及它，事先无法判断'],
  ['this rule may be about it, which can not be told beforehand', '此规则可能涉及它，事先无法判断'],
])

/** Which host a command reaches, or why that is not known. */
export const REACH: readonly Sentence[] = [
  [
    /^it (reaches|may reach|names) (\S+)(?: \(([^()]+)\))?$/su,
    (verb, host, by) => `它${REACH_VERBS[verb] ?? ''} ${host}${by === '' ? '' : `（${reachedBy(by)}）`}`,
  ],
  [/^it reaches hosts that its settings name$/u, () => '它连接哪些主机由其设置决定'],
  [/^which host it reaches is known only when the line runs$/u, () => '执行时才知道它连接哪台主机'],
  [
    /^which host it reaches is written in settings that nobody has looked up$/u,
    () => '它连接哪台主机写在设置里，而设置尚未查看',
  ],
  [
    /^programs read its address differently, so that it is not known which host it reaches$/u,
    () => '各程序对这个地址的解读不同，无法确定它连接哪台主机',
  ],
  [/^it names the host, and may reach it$/u, () => '它提到了这台主机，可能会连接它'],
  [/^it names more hosts than are compared$/u, () => '它写出的主机太多，超出了比较的上限'],
]

const REACH_VERBS: Readonly<Record<string, string>> = {
  reaches: '会连接',
  'may reach': '可能会连接',
  names: '写明了',
}

function reachedBy(by: string): string {
  const remote = /^remote (.+)$/su.exec(by)?.[1]
  if (remote !== undefined) return `远程仓库 ${remote}`
  const settings = /^(\w+) settings$/u.exec(by)?.[1]
  if (settings !== undefined) return `${settings} 的设置`
  return { 'by default': '默认', 'the default remote': '默认远程仓库', 'a remote': '某个远程仓库' }[by] ?? by
}

/** What reading all that is below a folder would come upon. */
export const READ_BELOW: readonly Sentence[] = [
  [
    /^it would also read (\S+), which belongs to Banksman itself$/su,
    (path) => `它还会读取 ${path}，那属于 Banksman 自身`,
  ],
  [/^it would also read what (.+) names$/su, (rule) => `它还会读取（${rule}）所拒绝的内容`],
]

export const COMMAND_SENTENCES: readonly Sentence[] = [
  ...READ_BELOW,
  [/^nothing allows (.+) to be written$/su, (file) => `没有规则允许写入 ${file}`],
  [/^no allow names (.+), which deletes files$/su, (option) => `没有规则允许 ${option}，它会删除文件`],
  [
    /^(`.+`) may come to an option that writes or runs something; write -- or \.\/ before it$/su,
    (word) => `${word} 可能变成写文件或运行程序的选项；请在它前面加上 -- 或 ./`,
  ],
  [
    /^it reads files that steer it \((.+)\), and an earlier call may have written some that no person saw$/su,
    (groups) =>
      `它会读取左右它的文件（${steeringGroups(groups)}），而之前的调用可能写入过其中某些未经人过目的文件`,
  ],
  [
    /^the files of another folder may have (`.+`) run something$/su,
    (program) => `其他目录中的文件可能让 ${program} 运行别的程序`,
  ],
  [/^nothing is known of (`[^`]+`)$/su, (program) => `对 ${program} 一无所知`],
  [
    /^(?:not known to be read-only: (`.+`)|(`.+`) is not among what it is known to only read with)$/su,
    (word, earlier) => `带上 ${word || earlier} 就不能确定它只是读取`,
  ],
  [/^the option (`.+`) is not known to only read$/su, (word) => `不能确定选项 ${word} 只是读取`],
  [/^(`.+`) is not known to only read$/su, (word) => `不能确定 ${word} 只是读取`],
  [/^(`.+`) is outside (?:the roots|of the workspace)$/su, (word) => `${word} 在工作区之外`],
  [
    /^it is not known whether (`.+`) is in(?:side the roots| the workspace)$/su,
    (word) => `不能确定 ${word} 在工作区内`,
  ],
  [/^it is not known where (`.+`) leads$/su, (word) => `不知道 ${word} 指向哪里`],
  [/^(`.+`) may come to (?:other|several) words$/su, (word) => `${word} 可能展开成别的词`],
]

export const OWN_SENTENCES: readonly Sentence[] = [
  [/^a path in the call may lead to (.+)$/su, (path) => `调用中的路径可能指向 ${path}`],
  [/^the working folder may be in (.+)$/su, (place) => `工作目录可能在 ${openedBy(place)} 中`],
  [/^(".*") may be (.+)$/su, (path, place) => `${path} 可能就是 ${openedBy(place)}`],
  [/^the working folder is in (.+)$/su, (folder) => `工作目录在 ${folder} 中`],
  [/^the path at (\S+) leads to (.+)$/su, (pointer, path) => `参数 ${pointer} 的路径指向 ${path}`],
  [
    /^the argument at (\S+) (?:names|leads to) the server's own address$/su,
    (pointer) => `参数 ${pointer} 指向服务器自己的地址`,
  ],
  [/^the argument at (\S+) is the server's own port$/su, (pointer) => `参数 ${pointer} 是服务器自己的端口`],
  [/^the argument at (\S+) names (.+)$/su, (pointer, path) => `参数 ${pointer} 提到 ${path}`],
  [/^the argument at (\S+) runs (.+)$/su, (pointer, program) => `参数 ${pointer} 会运行 ${program}`],
  [/^(`.+`) names the server's own address$/su, (command) => `${command} 指向服务器自己的地址`],
  [/^a path in (`.+`) leads to (.+)$/su, (command, path) => `${command} 中的路径指向 ${path}`],
  [/^(`.+`) names (.+)$/su, (command, path) => `${command} 提到 ${path}`],
  [/^(`.+`) runs (.+)$/su, (command, program) => `${command} 会运行 ${program}`],
  [/^(`.+`) writes (.+)$/su, (command, path) => `${command} 会写入 ${path}`],
  [/^(`.+`) reaches (.+)$/su, (command, path) => `${command} 会触及 ${path}`],
  [/^.+ of (".*") reaches (.+)$/su, (path, owned) => `${path} 会触及 ${owned}`],
]

function openedBy(place: string): string {
  if (place === 'a file that the server may have open') return '服务器打开着的文件'
  return place === 'the memory of a process, which may be the server'
    ? '某个进程的内存，而它可能就是服务器'
    : place
}

export const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [
    "the tool's name has a control character or a line separator in it, and such names are denied",
    '工具名称含有控制字符或换行符，此类名称一律拒绝',
  ],
  ["the tool's name is not a text", '工具名称不是文本'],
  [
    'the call could not be judged, and what can not be judged is denied',
    '此调用无法判断，无法判断的一律拒绝',
  ],
  [
    'the arguments are too large or too deep to be looked through, and such calls are denied',
    '参数过大或嵌套过深，无法检查，此类调用一律拒绝',
  ],
])

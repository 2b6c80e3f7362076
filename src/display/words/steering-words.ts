/** Why a file of the policy's list of steering files needs a person, and what the groups of it are called, in Chinese. */

export const STEERING_WHY: ReadonlyMap<string, string> = new Map([
  [
    'it can name commands that git runs, even for a mere status',
    '其中可以写入 git 会运行的命令，连查看状态时也会运行',
  ],
  [
    'with a few such files git takes the folder for a repository and runs what its `config` and `hooks` name',
    '有了几个这样的文件，git 就会把该目录当作仓库，并运行其中 `config` 与 `hooks` 指定的命令',
  ],
  ['programs of packages are run from there', '软件包的程序从那里运行'],
  ['it can name commands to run and where packages come from', '其中可以指定要运行的命令以及软件包的来源'],
  [
    'its settings and plugins are code, which editors and hooks run too',
    '它的设置与插件都是代码，编辑器和钩子也会运行',
  ],
  ['it can name plugins and have git called', '其中可以指定插件，并让它调用 git'],
  [
    'its settings are code, which builds, editors and hooks run',
    '它的设置就是代码，构建、编辑器和钩子都会运行',
  ],
  ['tools take their settings from it', '一些工具从中读取设置'],
  [
    'it chooses which program runs under a name, by a path too',
    '它决定某个名称对应运行哪个程序，也可以用路径指定',
  ],
  ['it can name the compiler, and commands to run in its place', '其中可以指定编译器，以及代替它运行的命令'],
  ['it can name the tools that Go runs', '其中可以指定 Go 要运行的工具'],
  [
    'it can name the version of the tools that answer for the folder',
    '其中可以指定由哪个版本的工具处理该目录',
  ],
  ['it can name code that Ruby loads', '其中可以指定 Ruby 要加载的代码'],
  ['PHP loads it by itself, or runs programs from it', 'PHP 会自行加载它，或从中运行程序'],
  ['it can name programs and code that a build starts with', '其中可以指定构建启动时的程序与代码'],
  ['programs of plugins are run from there', '插件的程序从那里运行'],
  ['the commands of the project are taken from it', '项目的命令取自其中'],
  ['a shell or the desktop runs it at its next start', '命令行或桌面下次启动时会运行它'],
  ['the program takes commands from it where it is started', '程序在启动目录中读取它，并执行其中的命令'],
  [
    'the program takes commands, or the names of programs to run, from it',
    '程序从中读取命令或要运行的程序名称',
  ],
  [
    'an editor runs its tasks and settings when the folder is opened',
    '打开目录时，编辑器会运行其中的任务与设置',
  ],
  ['it runs with the next commit or push', '下一次提交或推送时会运行它'],
  [
    'it runs on a server with rights of its own as soon as it is pushed',
    '一经推送，它就会在服务器上以自己的权限运行',
  ],
  [
    'the next agent takes its instructions, tools and permissions from it',
    '下一个代理会从中取得指令、工具与权限',
  ],
  ['Python runs it at every start, whatever was started', '无论启动什么，Python 每次启动都会运行它'],
  ['it can have files changed where only a check was asked for', '本来只要求检查时，它也能让文件被修改'],
  ['it can name plugins, which are code', '其中可以指定插件，而插件就是代码'],
])

/** The groups; one that is not here is called as it is in English, as `git` and `npm` are. */
const STEERING_GROUP: ReadonlyMap<string, string> = new Map([
  ['bare git repository', 'git 裸仓库'],
  ['javascript tools', 'JavaScript 工具'],
  ['javascript projects', 'JavaScript 项目'],
  ['python tools', 'Python 工具'],
  ['python projects', 'Python 项目'],
  ['version managers', '版本管理工具'],
  ['projects', '项目'],
  ['infrastructure', '基础设施'],
  ['shell start-up', '命令行启动文件'],
  ['programs that search the folder', '读取所在目录的程序'],
  ['programs in the home folder', '读取主目录的程序'],
  ['editor', '编辑器'],
  ['hooks', '钩子'],
  ['agent instructions', '代理指令'],
  ['other version control', '其他版本控制系统'],
  ['analysers', '代码分析工具'],
  ['programs by name', '按名称运行的程序'],
])

/** The names of groups, with commas between them. */
export function steeringGroups(english: string): string {
  const others = english.endsWith(' and others')
  const names = (others ? english.slice(0, -' and others'.length) : english).split(', ')
  return names.map((name) => STEERING_GROUP.get(name) ?? name).join('、') + (others ? ' 等' : '')
}

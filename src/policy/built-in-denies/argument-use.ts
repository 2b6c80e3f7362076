/**
 * What an argument is for, by its name, as long as nothing better is known of tools: a file's new content may
 * speak of anything, a command may not.
 */
type ArgumentUse = 'note' | 'command' | 'other'

export function argumentUse(tool: string, key: string): ArgumentUse {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const name = words.join('')
  if (NOTES.has(name)) return 'note'
  const mayRunIt = RUNS_WHAT_IT_IS_GIVEN.test(tool)
  if (TEXTS.has(name) && !mayRunIt) return 'note'
  if (words.some((word) => COMMANDS.has(word))) return 'command'
  return mayRunIt && !words.some((word) => PLACES.has(word)) ? 'command' : 'other'
}

/** Written for readers, whatever the tool does. */
const NOTES = new Set(
  'description explanation reason thought summary comment note notes title subject'.split(' '),
)

/** Written into a file or a message, unless the tool's name says that it runs or types what it is given. */
const TEXTS = new Set(
  (
    'content contents text body message prompt question answer instructions markdown html caption filetext ' +
    'oldstring newstring oldstr newstr oldtext newtext newsource'
  ).split(' '),
)

const COMMANDS = new Set(
  (
    'command commands cmd cmds script scripts arg args argv program executable exec shell bash sh powershell code ' +
    'bin stdin input keys keystrokes process line expression eval run task entrypoint'
  ).split(' '),
)

/** Where something is, also for a tool that runs things. */
const PLACES = new Set(
  'cwd dir directory folder root path paths workdir file files filename url uri repo'.split(' '),
)

const RUNS_WHAT_IT_IS_GIVEN =
  /bash|shell|exec|terminal|tmux|console|command|cmd|run|eval|repl|python|node|script|type|key|ssh|process|stdin|patch|apply/i

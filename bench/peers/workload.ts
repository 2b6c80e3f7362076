/**
 * The rules and calls of the comparison: names as MCP servers and plain tools have them, patterns of the kinds that
 * people write, and calls of which a quarter each is denied, asked about, allowed and named by no list.
 */
export type Kind = 'deny' | 'ask' | 'allow'

export interface Rules {
  deny: string[]
  ask: string[]
  allow: string[]
}

export interface WorkCall {
  tool: string
  arguments: Record<string, string>
  /** Undefined where no list names the tool. */
  expected: Kind | undefined
}

const LISTS: readonly Kind[] = ['deny', 'ask', 'allow']
const SERVERS = 'github slack jira linear notion postgres s3 stripe gmail calendar sentry figma'.split(' ')
const VERBS = 'create delete update list get search send merge close read'.split(' ')
const THINGS = 'issue file page row bucket message event branch email invoice ticket'.split(' ')
const STRANGERS = [
  'web_search',
  'send_emails',
  'mcp__weather__get_forecast',
  'mcp__githubs__create_issue',
  'read',
  'mcp__postgre__run_query',
  'exec_command',
  'mcp__browser__navigate',
]
/** Each call is one of so many; more than a branch predictor learns by heart, few enough to stay in the caches. */
const CALLS = 256

export function rulesOf(count: number): Rules {
  const rules: Rules = { deny: [], ask: [], allow: [] }
  for (let index = 0; index < count; index++) rules[LISTS[index % 3]!].push(patternAt(index))
  return rules
}

export function callsFor(rules: Rules): WorkCall[] {
  return Array.from({ length: CALLS }, (_, index) => {
    const round = Math.floor(index / 4)
    const expected = LISTS[index % 4]
    const tool =
      expected === undefined ? STRANGERS[round % STRANGERS.length]! : nameFor(spread(rules[expected], round))
    // As it comes from a model: each name a text of its own, none of which was seen before.
    return JSON.parse(
      JSON.stringify({ tool, arguments: { title: 'Quarterly report', body: 'As discussed.' }, expected }),
    ) as WorkCall
  })
}

/** Five kinds in turn, each list having all of them; numbers keep the rules apart when the words are used up. */
function patternAt(index: number): string {
  const turn = Math.floor(index / 15)
  const number = turn === 0 ? '' : String(turn)
  const server = `${SERVERS[(index + turn) % SERVERS.length]!}${number}`
  const verb = VERBS[(index * 3 + turn) % VERBS.length]!
  const thing = `${THINGS[(index + turn) % THINGS.length]!}${number}`
  switch (Math.floor(index / 3) % 5) {
    case 0:
      return `mcp__${server}__*`
    case 1:
      return `${verb}_${thing}`
    case 2:
      return `*_${thing}_${verb}`
    case 3:
      return `mcp__${server}__${verb}_*`
    default:
      return `mcp__*__${verb}_${thing}`
  }
}

function nameFor(pattern: string): string {
  return pattern.replace('*', pattern.endsWith('*') ? 'create_issue' : 'acme')
}

function spread(list: readonly string[], round: number): string {
  return list[Math.floor((round * list.length) / (CALLS / 4))]!
}

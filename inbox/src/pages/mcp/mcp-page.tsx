import { useEffect } from 'preact/hooks'
import { LoadState } from '../../components/load-state.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { WithCode } from '../../components/text/with-code.tsx'
import { useLoaded } from '../../components/use-loaded.ts'
import { useThrottledRun } from '../../components/use-throttled-run.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { McpGaps } from './mcp-gaps.tsx'
import { changeCount, type McpServer, McpServerCard } from './mcp-server-card.tsx'
import { MCP_WORDS } from './words.ts'
import '../../style/record.css'
import './mcp.css'

/** The MCP servers behind Banksman: what they are, what they say of their tools, and what of that has changed. */
export function McpPage() {
  const { client, live } = useInbox()
  const words = useOwnWords(MCP_WORDS)
  const shell = useOwnWords(SHELL_WORDS)
  const loaded = useLoaded('mcp', (signal) => client.mcp.list({ signal }), { keep: true })
  useThrottledRun(`${live.board.changes.value} ${live.settled.value[0]?.id}`, loaded.again)
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && loaded.again()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  const servers = loaded.value?.items
  return (
    <div class="record mcp">
      <header class="record-head">
        <PageHeading>{shell.pages.mcp}</PageHeading>
      </header>
      <p class="hint">{words.about}</p>
      <p class="hint">{words.firstUse}</p>
      {loaded.value === undefined ? null : <McpGaps servers={loaded.value} />}
      <LoadState of={loaded} />
      {servers?.length === 0 ? <NoServers /> : null}
      <ul class="cards">
        {inOrder(servers ?? []).map((server) => (
          <McpServerCard key={server.name} server={server} again={loaded.again} />
        ))}
      </ul>
    </div>
  )
}

/** What has to be looked at first. */
function inOrder(servers: readonly McpServer[]): McpServer[] {
  return [...servers].sort(
    (one, other) => changeCount(other) - changeCount(one) || (one.name < other.name ? -1 : 1),
  )
}

function NoServers() {
  const { none } = useOwnWords(MCP_WORDS)
  return (
    <div class="panel">
      <h3>{none.title}</h3>
      <p>{none.explain}</p>
      <ul class="mcp-steps">
        {none.steps.map((step) => (
          <li key={step}>
            <WithCode text={step} />
          </li>
        ))}
      </ul>
      <p class="hint">
        <WithCode text={none.guide} />
      </p>
    </div>
  )
}

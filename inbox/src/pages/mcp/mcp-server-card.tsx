import { useEffect, useRef } from 'preact/hooks'
import type { WireMcpServers } from '../../../../src/client/index.ts'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { LongText } from '../../components/text/long-text.tsx'
import { ServerText } from '../../components/text/spans.tsx'
import { useInbox, useLanguage, useOwnWords } from '../../context/context.ts'
import { mcpChangeOf } from '../../model/requests/mcp-change.ts'
import { visible } from '../../model/text/visible-line.ts'
import { definitionText } from './definition-text.ts'
import { McpChangeView } from './mcp-change-view.tsx'
import { MCP_WORDS } from './words.ts'

export type McpServer = WireMcpServers['items'][number]
type McpTool = McpServer['tools'][number]

export interface McpServerCardProps {
  server: McpServer
  again(): void
}

const DEFINITION_LIMITS = { characters: 4000, lines: 60 }

export function changeCount({ program, tools }: McpServer): number {
  return [program, ...tools].filter(({ changed }) => changed !== undefined).length
}

/** One server: what it is, what of it has changed, and the tools that were used. */
export function McpServerCard({ server, again }: McpServerCardProps) {
  const { live, place, go } = useInbox()
  const words = useOwnWords(MCP_WORDS)
  const { time } = useLanguage()
  const card = useRef<HTMLLIElement>(null)
  const { name, program, tools } = server
  const isWanted = place.value.id === name
  useEffect(() => {
    if (isWanted) card.current?.scrollIntoView({ block: 'start' })
  }, [isWanted])
  live.board.changes.value
  const waiting = live.board.pending().filter(({ reason }) => mcpChangeOf(reason)?.server === name).length
  const changes = changeCount(server)
  return (
    <li class={changes === 0 ? 'card mcp-server' : 'card mcp-server is-changed'} ref={card}>
      <div class="card-head">
        <h3>{visible(name)}</h3>
        {changes === 0 ? null : <span class="tag mcp-changed">{words.changes(changes)}</span>}
      </div>
      <dl class="stacked">
        <div>
          <dt>{words.program}</dt>
          <dd>
            <code dir="ltr">{program.text === undefined ? '…' : <ServerText text={program.text} />}</code>
          </dd>
        </div>
        <div>
          <dt>{words.since}</dt>
          <dd>{time(program.at)}</dd>
        </div>
      </dl>
      {waiting === 0 ? null : (
        <button type="button" class="as-link" onClick={() => go({ page: 'pending' })}>
          {words.waiting(waiting)}
        </button>
      )}
      <McpChangeView server={name} pinned={program} again={again} />
      {tools.map((tool) => (
        <McpChangeView key={tool.name} server={name} tool={tool.name} pinned={tool} again={again} />
      ))}
      <h4>{tools.length === 0 ? words.noTools : words.tools(tools.length)}</h4>
      {tools.map((tool) => (
        <ToolView key={tool.name} tool={tool} />
      ))}
    </li>
  )
}

/** As it was accepted; what it is now stands above, as a change. */
function ToolView({ tool: { name, text, at } }: { tool: McpTool }) {
  const words = useOwnWords(MCP_WORDS)
  const { time } = useLanguage()
  return (
    <details class="mcp-tool">
      <summary>
        <code dir="ltr">{isolateRightToLeft(visible(name))}</code>
      </summary>
      <p class="hint">
        {words.definition} · {words.since} {time(at)}
      </p>
      {text === undefined || text === 'null' ? (
        <p class="hint">{text === undefined ? words.change.tooLong : words.noDefinition}</p>
      ) : (
        <pre dir="ltr">
          <LongText text={definitionText(text)} room={DEFINITION_LIMITS} />
        </pre>
      )}
    </details>
  )
}

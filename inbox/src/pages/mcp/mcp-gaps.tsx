import type { WireMcpServers } from '../../../../src/client/index.ts'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { WithCode } from '../../components/text/with-code.tsx'
import { useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { MCP_WORDS, type McpGap } from './words.ts'

/** Servers whose calls pass Banksman by, or may, each with the command that puts it behind Banksman. Nothing where there is none. */
export function McpGaps({ servers: { gaps = [], gapsUnknown } }: { servers: WireMcpServers }) {
  const words = useOwnWords(MCP_WORDS).gaps
  if (gapsUnknown !== undefined)
    return (
      <p class="note warning">
        {words.failed} {isolateRightToLeft(visible(gapsUnknown))}
      </p>
    )
  if (gaps.length === 0) return null
  const title = words.title(gaps.length)
  return (
    <section class="note warning mcp-gaps" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {gaps.map((gap) => (
          <Gap key={`${gap.file} ${gap.key}`} gap={gap} />
        ))}
      </ul>
      <p class="hint">
        <WithCode text={words.about} />
      </p>
    </section>
  )
}

function Gap({ gap: { client, key, file, state, command } }: { gap: McpGap }) {
  const words = useOwnWords(MCP_WORDS).gaps
  return (
    <li>
      <strong>{isolateRightToLeft(words.of(visible(key), visible(client)))}</strong>
      <code dir="ltr">{isolateRightToLeft(visible(file))}</code>
      <p>{words.states[state]}</p>
      <p>{state === 'unknown' ? words.correct : words.mend}</p>
      <pre dir="ltr">{isolateRightToLeft(visible(command))}</pre>
    </li>
  )
}

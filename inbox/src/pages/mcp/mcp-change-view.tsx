import { useId, useMemo, useState } from 'preact/hooks'
import type { DiffBlock, WireMcpServers } from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { makeVisible } from '../../../../src/display/text/visible.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { textDiff } from '../../components/text/text-diff.ts'
import { TwoStepButton } from '../../components/two-step-button.tsx'
import { usePageAction } from '../../components/use-page-action.ts'
import { useInbox, useLanguage, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { DiffView } from '../../request/call/diff-view.tsx'
import { definitionText } from './definition-text.ts'
import { MCP_WORDS } from './words.ts'

export interface McpChangeViewProps {
  server: string
  /** Absent: it is about the program. */
  tool?: string
  pinned: WireMcpServers['items'][number]['program']
  again(): void
}

/** What has changed, line by line, and the way to accept it. Nothing where nothing has. */
export function McpChangeView({ server, tool, pinned: { text, changed }, again }: McpChangeViewProps) {
  const { client, identity } = useInbox()
  const words = useOwnWords(MCP_WORDS).change
  const { time } = useLanguage()
  const { isBusy, error, run } = usePageAction()
  const [isAccepted, setAccepted] = useState(false)
  const id = useId()
  const diff = useMemo(() => diffOf(text, changed?.text, tool !== undefined), [text, changed?.text, tool])
  if (changed === undefined) {
    return isAccepted ? (
      <p class="note applied" role="status">
        {words.accepted}
      </p>
    ) : null
  }
  const accept = async () => {
    const { digest } = changed
    setAccepted(await run(() => client.mcp.accept(server, { digest, ...defined({ tool }) })))
    // Where it was refused, what was shown may no longer be what the server says.
    again()
  }
  return (
    <section class="mcp-change" aria-labelledby={id}>
      <h4 id={id}>{tool === undefined ? words.program : isolateRightToLeft(words.tool(visible(tool)))}</h4>
      <p class="hint">
        {words.since(time(changed.at))} · {tool === undefined ? words.programMeans : words.toolMeans}
      </p>
      {diff === undefined ? <p class="note warning">{words.tooLong}</p> : <DiffView block={diff} />}
      {error === undefined ? null : <FailureNote error={error} />}
      {identity.role === 'admin' ? (
        <TwoStepButton
          key={changed.digest}
          label={words.accept}
          confirm={words.confirm}
          tone="primary"
          isBusy={isBusy}
          act={() => void accept()}
        >
          {words.explain}
        </TwoStepButton>
      ) : (
        <>
          <button type="button" disabled>
            {words.accept}
          </button>
          <p class="hint">{words.others}</p>
        </>
      )}
    </section>
  )
}

/** The program has our masks in it; what a server says of a tool has nothing of ours (P9). */
function diffOf(
  before: string | undefined,
  after: string | undefined,
  isDefinition: boolean,
): DiffBlock | undefined {
  if (before === undefined || after === undefined) return undefined
  // Neither is a file: that no line break ends it says nothing.
  if (!isDefinition) return textDiff(`${before}\n`, `${after}\n`, '')
  return textDiff(
    `${definitionText(before)}\n`,
    `${definitionText(after)}\n`,
    '',
    (line) => makeVisible(line).spans,
  )
}

import type { WireRequest } from '../../../../src/client/index.ts'
import { sayRisk } from '../../../../src/display/words/severities.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useInbox, useLocale, useOwnWords } from '../../context/context.ts'
import { mcpChangeOf } from '../../model/requests/mcp-change.ts'
import { REQUEST_WORDS } from '../words/words.ts'

/** How risky the call is, where that is more than usual, and why it needs approval. */
export function RiskAndReason({
  request: { severity, risk, because, reason, kind },
}: {
  request: WireRequest
}) {
  const { go } = useInbox()
  const words = useOwnWords(REQUEST_WORDS).why
  const locale = useLocale()
  const change = mcpChangeOf(reason)
  if (kind === 'question') return null
  return (
    <div class={`risk-and-reason severity-${severity}`}>
      {severity === 'normal' ? null : (
        <p class="risk">
          <ServerText text={sayRisk(severity, risk?.because, locale)} reason={risk?.reason} />
        </p>
      )}
      <p>
        <ServerText text={because} reason={reason} />
      </p>
      {change === undefined ? null : (
        <button type="button" class="quiet" onClick={() => go({ page: 'mcp', id: change.server })}>
          {words.mcpChange}
        </button>
      )}
    </div>
  )
}

import type { WireRequest } from '../../../../src/client/index.ts'
import { sayRisk } from '../../../../src/display/words/severities.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useLocale } from '../../context/context.ts'

/** How risky the call is, where that is more than usual, and why it needs approval. */
export function RiskAndReason({
  request: { severity, risk, because, reason, kind },
}: {
  request: WireRequest
}) {
  const locale = useLocale()
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
    </div>
  )
}

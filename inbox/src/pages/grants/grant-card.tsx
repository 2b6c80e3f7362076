import type { ComponentChildren } from 'preact'
import { sayGrantState } from '../../../../src/display/words/grant-states.ts'
import { sayRule } from '../../../../src/display/words/rule-names.ts'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../../components/text/spans.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { TwoStepButton } from '../../components/two-step-button.tsx'
import { useInbox, useLanguage, useLocale, useOwnWords, useWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import type { GrantListRow } from './grant-list.ts'
import { GRANTS_WORDS } from './words.ts'

export interface GrantCardProps {
  line: GrantListRow
  isRevoking: boolean
  /** Why revoking it failed. */
  notice: ComponentChildren
  revoke(): void
}

/** One grant: what it lets through, where, for how long, who said so. */
export function GrantCard({ line: { grant, state }, isRevoking, notice, revoke }: GrantCardProps) {
  const { go, identity } = useInbox()
  const words = useOwnWords(GRANTS_WORDS)
  const { list } = useWords()
  const locale = useLocale()
  const { time } = useLanguage()
  const { tool, rules, scope, session, includeSubSessions, createdAt, createdBy, requestId } = grant
  const { expiresAt, uses, usesLeft, revoked } = grant
  const isLive = state === 'live'
  return (
    <li class={isLive ? 'card grant' : 'card grant is-over'}>
      <div class="card-head">
        <strong>{isolateRightToLeft(visible(tool))}</strong>
        <span class={`tag grant-${state}`}>{sayGrantState(state, locale)}</span>
      </div>
      <p class="grant-words" dir="ltr">
        <ServerText text={grant.words} />
      </p>
      <p class="facts">
        <span class="tag">
          {words.scope[scope === 'session' ? 'session' : 'always']}
          {includeSubSessions ? ` ${words.subSessions}` : ''}
        </span>
        <span>{words.uses(uses)}</span>
        {usesLeft === undefined || !isLive ? null : <span>{words.usesLeft(usesLeft)}</span>}
        {!isLive ? null : expiresAt === undefined ? (
          <span>{words.noEnd}</span>
        ) : (
          <TimeLeft expiresAt={expiresAt} />
        )}
      </p>
      <dl>
        <div>
          <dt>{words.rules}</dt>
          <dd>{isolateRightToLeft(list(rules.map((rule) => visible(sayRule(rule, locale)))))}</dd>
        </div>
        {session === undefined ? null : (
          <div>
            <dt>{words.session}</dt>
            <dd>{isolateRightToLeft(visible(session))}</dd>
          </div>
        )}
      </dl>
      <p class="hint">
        {words.given(visible(createdBy), time(createdAt))}
        {revoked === undefined ? null : (
          <>
            <br />
            {words.revokedBy(visible(revoked.by), time(revoked.at))}
          </>
        )}
      </p>
      {notice}
      <div class="card-buttons">
        <button type="button" class="quiet" data-row onClick={() => go({ page: 'history', id: requestId })}>
          {words.request}
        </button>
        {isLive && identity.role !== 'agent' ? (
          <TwoStepButton
            label={words.revoke}
            confirm={words.revokeConfirm}
            tone="danger"
            isBusy={isRevoking}
            act={revoke}
          >
            {words.revokeExplain}
          </TwoStepButton>
        ) : null}
      </div>
    </li>
  )
}

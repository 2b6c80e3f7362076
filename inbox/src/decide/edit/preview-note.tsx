import type { Severity } from '../../../../src/client/index.ts'
import { sayRule } from '../../../../src/display/words/rule-names.ts'
import { SeverityTag } from '../../components/severity-tag.tsx'
import { ServerText } from '../../components/text/spans.tsx'
import { useLocale, useOwnWords, useWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { EDIT_WORDS } from '../words/edit-words.ts'
import type { Previewed } from './draft/use-preview.ts'

export interface PreviewNoteProps {
  previewed: Previewed
  /** Issues that stand beside their field already. */
  placed: ReadonlySet<string>
  /** The edit's, where that is higher than the request's. */
  raised: Severity | undefined
}

/** More faults than anybody mends at once. */
const MOST_ISSUES = 20

/** What the policy and the tool's schema say of the edited call, before it is sent. */
export function PreviewNote(props: PreviewNoteProps) {
  return (
    <div class="previewed" role="status">
      <PreviewText {...props} />
    </div>
  )
}

function PreviewText({ previewed, placed, raised }: PreviewNoteProps) {
  const words = useOwnWords(EDIT_WORDS)
  const { failure, sentences, list } = useWords()
  const locale = useLocale()
  if (previewed.kind === 'none') return null
  if (previewed.kind === 'asking') return <p class="hint">{words.checking}</p>
  if (previewed.kind === 'unknown') {
    // What the server refuses here it would refuse when it is sent.
    const why = failure(previewed.error.code)
    return previewed.error.code === 'unreachable' || previewed.error.status === 404 ? (
      <p class="hint">{words.noPreview}</p>
    ) : (
      <p class="note warning">{sentences(why ?? words.noPreview, visible(previewed.error.detail))}</p>
    )
  }
  if (previewed.kind === 'misfit') {
    const others = previewed.issues.filter(({ pointer }) => pointer === undefined || !placed.has(pointer))
    return (
      <div class="note failure">
        <strong>{words.misfit}</strong>
        <ul>
          {others.slice(0, MOST_ISSUES).map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              {pointer === undefined ? null : <code>{visible(pointer)}</code>} {visible(message)}
            </li>
          ))}
          {others.length > MOST_ISSUES ? <li>{words.moreIssues(others.length - MOST_ISSUES)}</li> : null}
        </ul>
      </div>
    )
  }
  const { verdict, because, reason, newRules, unchecked, warnings } = previewed.preview
  return (
    <>
      {verdict === 'deny' ? (
        <p class="note failure">
          <strong>{words.denied}</strong> <ServerText text={because} reason={reason} />
        </p>
      ) : (
        <p class="hint">{verdict === 'ask' ? words.asks : words.allows}</p>
      )}
      {raised === undefined ? null : (
        <p class="note warning">
          {words.raised} <SeverityTag severity={raised} />
        </p>
      )}
      {newRules.length === 0 ? null : (
        <p class="note warning">
          {sentences(words.newRules, list(newRules.map((rule) => visible(sayRule(rule, locale)))))}
        </p>
      )}
      {unchecked.length === 0 ? null : (
        <p class="hint">{sentences(words.unchecked, list(unchecked.map(visible)))}</p>
      )}
      {warnings.length === 0 ? null : (
        <div class="note warning">
          <strong>{words.warnings}</strong>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

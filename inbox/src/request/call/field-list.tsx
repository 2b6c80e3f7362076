import type { Field } from '../../../../src/client/index.ts'
import { FoldedSpans } from '../../components/text/folded-spans.tsx'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { FIELD_LIMITS } from './fold-limits.ts'
import type { MaskedRequestArguments } from './json-tree.ts'
import { WholeValues } from './whole-values.tsx'

/** The short values. The names of arguments look like code; what we say ourselves does not. */
export function FieldList({
  fields,
  request,
}: {
  fields: Field[]
  request: MaskedRequestArguments | undefined
}) {
  if (fields.length === 0) return null
  return (
    <dl class="fields">
      {fields.map(({ label, pointer, value, shortened }, index) => (
        <div key={pointer ?? index}>
          <dt class={pointer === undefined ? undefined : 'is-argument'}>{isolateRightToLeft(label)}</dt>
          <dd dir="ltr">
            <FoldedSpans spans={value.spans} room={FIELD_LIMITS} />
            {shortened === undefined || pointer === undefined || request === undefined ? null : (
              <WholeValues pointers={[pointer]} request={request} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

import type { Field } from '../../../src/client/index.ts'
import { FoldedSpans } from '../parts/folded-spans.tsx'
import { inOrder } from '../parts/in-order.tsx'
import { FIELD_ROOM } from './fold-rooms.ts'
import type { MaskedArguments } from './json-tree.ts'
import { WholeValues } from './whole-values.tsx'

/** The short values. The names of arguments look like code; what we say ourselves does not. */
export function FieldList({ fields, request }: { fields: Field[]; request: MaskedArguments | undefined }) {
  return (
    <dl class="fields">
      {fields.map(({ label, pointer, value, shortened }, index) => (
        <div key={pointer ?? index}>
          <dt class={pointer === undefined ? undefined : 'is-argument'}>{inOrder(label)}</dt>
          <dd dir="ltr">
            <FoldedSpans spans={value.spans} room={FIELD_ROOM} />
            {shortened === undefined || pointer === undefined || request === undefined ? null : (
              <WholeValues pointers={[pointer]} request={request} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

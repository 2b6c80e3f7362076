import { useState } from 'preact/hooks'
import { valueAt } from '../../../../src/display/masks/json-pointer.ts'
import { InPieces } from '../../components/text/long-text.tsx'
import { useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import type { MaskedRequestArguments } from './json-tree.ts'

/** What the rendering had to shorten, whole, for who asks for it. */
export function WholeValues({ pointers, request }: { pointers: string[]; request: MaskedRequestArguments }) {
  const words = useOwnWords(REQUEST_WORDS).call
  const [isOpen, setOpen] = useState(false)
  const isMasked = (pointer: string) => request.masks.some((mask) => mask.pointer === pointer)
  const texts = pointers.flatMap((pointer) => {
    const value = isMasked(pointer) ? undefined : valueAt(request.arguments, pointer)
    if (value === undefined) return []
    return [{ pointer, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }]
  })
  if (texts.length === 0) return null
  return (
    <div class="whole-values">
      <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? words.hideWhole : words.seeWhole}
      </button>
      {isOpen
        ? texts.map(({ pointer, text }) => (
            <pre key={pointer} class="call" dir="ltr">
              <InPieces key={text.length} text={text} />
            </pre>
          ))
        : null}
    </div>
  )
}

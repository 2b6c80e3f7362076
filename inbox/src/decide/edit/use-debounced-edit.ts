/**
 * The edit as it is to be read, compared and asked about: at once as long as it is small, and after a pause in writing
 * where each of these would take longer than a key.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type EditDraft, isLarge } from './draft/edit-draft.ts'

const PAUSE_MS = 400

export function useDebouncedEdit(draft: EditDraft): EditDraft {
  const settled = useRef(draft)
  const [, look] = useState(0)
  const isWaiting = settled.current !== draft && isLarge(draft)
  if (!isWaiting) settled.current = draft
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => {
      settled.current = draft
      look((count) => count + 1)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  return settled.current
}

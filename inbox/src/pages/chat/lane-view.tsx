import { AnswerItem } from './answer-item.tsx'
import { CallItem } from './call-item.tsx'
import { HelperItem } from './helper-item.tsx'
import type { Item, Lane } from './items.ts'
import { NoteItem } from './note-item.tsx'
import { SaidItem } from './said-item.tsx'

/** What one agent does in a turn. */
export function LaneView({ lane }: { lane: Lane }) {
  return (
    <>
      {lane.items.value.map((item) => (
        <ItemView key={item.key} item={item} />
      ))}
    </>
  )
}

/** Drawn again when this one changes, and not when another does. */
function ItemView({ item }: { item: Item }) {
  const body = item.body.shown.value
  switch (body.kind) {
    case 'said':
      return <SaidItem body={body} />
    case 'answer':
      return <AnswerItem body={body} />
    case 'call':
      return <CallItem body={body} />
    case 'helper':
      return <HelperItem body={body} />
    default:
      return <NoteItem body={body} />
  }
}

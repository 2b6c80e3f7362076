import type { TranscriptItem, TranscriptLane } from '../model/transcript-items.ts'
import { AnswerItem } from './answer-item.tsx'
import { CallItem } from './call-item.tsx'
import { MessageItem } from './message-item.tsx'
import { NoteItem } from './note-item.tsx'
import { SubAgentItem } from './sub-agent-item.tsx'

/** What one agent does in a turn. */
export function LaneView({ lane }: { lane: TranscriptLane }) {
  return (
    <>
      {lane.items.value.map((item) => (
        <ItemView key={item.key} item={item} />
      ))}
    </>
  )
}

/** Drawn again when this one changes, and not when another does. */
function ItemView({ item }: { item: TranscriptItem }) {
  const body = item.body.shown.value
  switch (body.kind) {
    case 'said':
      return <MessageItem body={body} />
    case 'answer':
      return <AnswerItem body={body} />
    case 'call':
      return <CallItem body={body} />
    case 'helper':
      return (
        <SubAgentItem body={body}>
          <LaneView lane={body.lane} />
        </SubAgentItem>
      )
    default:
      return <NoteItem body={body} />
  }
}

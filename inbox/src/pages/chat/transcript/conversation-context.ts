/** How items get at the conversation that they belong to. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Conversation } from '../model/conversation.ts'

export const ConversationContext = createContext<Conversation | undefined>(undefined)

export function useConversation(): Conversation {
  const conversation = useContext(ConversationContext)
  if (conversation === undefined) throw new Error('this part stands outside a conversation')
  return conversation
}

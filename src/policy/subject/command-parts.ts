import type { CallSubject, CommandPart } from './subject.ts'

/** The commands of a call's shell line. */
export function commandsOf(subject: CallSubject): CommandPart[] {
  return subject.parts.filter((part): part is CommandPart => part.kind === 'command')
}

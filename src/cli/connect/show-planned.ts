/** Changes of an agent's files, as a person sees them before they are made. */
import type { PlannedFile } from '../../server/connect/planned-file.ts'
import { stopped } from '../chat-setup/ask-settings.ts'
import type { Context } from '../command-line/command.ts'
import { differenceText, wholeText } from '../output/difference-text.ts'
import { visible } from '../output/safe-text.ts'

export function showPlanned(files: readonly PlannedFile[], { terminal }: Context): void {
  const { paint, columns } = terminal
  for (const { path, now, after } of files) {
    if (now === after) continue
    const mark = after === undefined ? ' (removed)' : now === undefined ? ' (new)' : ''
    const shown =
      now === undefined || after === undefined
        ? wholeText(after ?? now ?? '', columns)
        : differenceText(now, after, { paint, columns })
    terminal.note(`\n${visible(path)}${mark}\n${shown.join('\n')}`)
  }
}

export async function agree(question: string, otherwise: string, { terminal }: Context): Promise<void> {
  const answer = await terminal.ask(`\n${question}`)
  if (answer === undefined || !/^(?:y|yes|)$/i.test(answer)) throw stopped(otherwise)
}

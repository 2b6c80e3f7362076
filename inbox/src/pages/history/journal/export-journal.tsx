import { ExportPanel, type ExportPanelProps } from '../../../components/export-panel.tsx'
import { saveFile, stampOf } from '../../../components/save-file.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { JOURNAL_WORDS } from '../words/journal-words.ts'

/** A page that holds more is closed by the system of a phone. The command line has no such bound. */
const MOST_BYTES = 256 * 1024 * 1024
/** Lines are put together to pieces, of which a file can be made without a second copy of them all. */
const PIECE_CHARACTERS = 1024 * 1024

/** Saves the whole journal, and says how far it is. */
export function ExportJournal() {
  const { client } = useInbox()
  const words = useOwnWords(JOURNAL_WORDS).export
  const save: ExportPanelProps['save'] = async (say, signal) => {
    let entries = 0
    let bytes = 0
    const pieces: Blob[] = []
    let lines: string[] = []
    let characters = 0
    const cut = () => {
      const piece = new Blob(lines)
      bytes += piece.size
      pieces.push(piece)
      lines = []
      characters = 0
      say(words.under(entries, sizeText(bytes)))
    }
    say(words.under(0, sizeText(0)))
    for await (const line of client.exportJournal({ signal })) {
      lines.push(`${line}\n`)
      entries += 1
      characters += line.length
      if (characters >= PIECE_CHARACTERS) cut()
      if (bytes > MOST_BYTES) return say(words.tooLong(entries, sizeText(MOST_BYTES)))
    }
    if (signal.aborted) return
    cut()
    saveFile(`banksman-journal-${stampOf(new Date())}.ndjson`, pieces, 'application/x-ndjson')
    say(words.done(entries))
  }
  return <ExportPanel words={words} save={save} />
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

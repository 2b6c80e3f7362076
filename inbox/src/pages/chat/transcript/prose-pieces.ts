/**
 * Words of a model or a person cut up for drawing: paragraphs, and code between fences. Nothing else in them means anything:
 * no link, no emphasis, no markup. While words stream in only the last piece changes, so the others need not be drawn again.
 */
export interface ProsePiece {
  kind: 'text' | 'code'
  text: string
  /** What stands behind the fence: mostly a language. */
  label?: string
}

/** A line without an end must not be drawn anew as a whole with every word. */
const MAX_PIECE = 4000
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/

export function prosePieces(text: string): ProsePiece[] {
  const pieces: ProsePiece[] = []
  let lines: string[] = []
  let fence: string | undefined
  let label = ''

  function close(kind: ProsePiece['kind']): void {
    const whole = lines.join('\n')
    lines = []
    if (kind === 'code' || whole.trim() !== '') {
      for (const part of inParts(whole)) {
        pieces.push({ kind, text: part, ...(label === '' ? {} : { label }) })
        label = ''
      }
    }
  }

  for (const line of text.split('\n')) {
    const [, found, behind = ''] = FENCE.exec(line) ?? []
    if (fence === undefined && found !== undefined) {
      close('text')
      fence = found
      label = behind.trim()
    } else if (fence !== undefined && found?.startsWith(fence) && line.trim() === found) {
      close('code')
      fence = undefined
    } else if (fence === undefined && line.trim() === '') close('text')
    else lines.push(line)
  }
  close(fence === undefined ? 'text' : 'code')
  return pieces
}

function inParts(text: string): string[] {
  if (text.length <= MAX_PIECE) return [text]
  const parts: string[] = []
  let from = 0
  while (from < text.length) {
    let to = Math.min(text.length, from + MAX_PIECE)
    if (to < text.length) {
      const blank = Math.max(text.lastIndexOf('\n', to), text.lastIndexOf(' ', to))
      if (blank > from) to = blank + 1
      // Never between the halves of a character.
      else if (isHighHalf(text.charCodeAt(to - 1))) to--
    }
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

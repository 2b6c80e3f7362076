import type { ComponentChildren } from 'preact'
import { isReason } from '../../../../src/core/reasons/reason.ts'
import { visible } from '../../model/text/visible-line.ts'
import { type CodePiece, codePieces, cutAtQuotes } from './code-pieces.ts'
import { isolateRightToLeft } from './isolate-right-to-left.tsx'

/** Our own words: what stands between backticks is code. */
export function WithCode({ text }: { text: string }) {
  return <CodePieces pieces={cutAtQuotes(text)} show={(part) => part} />
}

/** A sentence in a list or a note, where notation has no look of its own: see `ServerText`. `reason`: as it was sent. */
export function PlainSentence({ text, reason }: { text: string; reason: unknown }) {
  const pieces = isReason(reason) ? codePieces(text, reason) : [{ text, isCode: false }]
  return <CodePieces pieces={pieces} show={(part) => isolateRightToLeft(visible(part))} />
}

export interface CodePiecesProps {
  pieces: readonly CodePiece[]
  show(text: string): ComponentChildren
}

export function CodePieces({ pieces, show }: CodePiecesProps) {
  return (
    <>
      {pieces.map(({ text, isCode }, index) =>
        isCode ? (
          <code key={index} dir="ltr">
            {show(text)}
          </code>
        ) : (
          show(text)
        ),
      )}
    </>
  )
}

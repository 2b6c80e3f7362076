import type { WireRendering } from '../../../../src/client/index.ts'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { callLines } from './call-lines.ts'

/**
 * The whole call as it was rendered. Long lines wrap, so that nothing lies outside the screen, and go on indented,
 * so that no part of a line can pass for a line of its own.
 */
export function CallText({ rendering }: { rendering: WireRendering }) {
  return (
    <pre class="call" dir="ltr">
      {callLines(rendering).map(({ kind, text }, index) => (
        <span key={index} class={`line ${kind}`}>
          {text === '' ? '\u00a0' : isolateRightToLeft(text)}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

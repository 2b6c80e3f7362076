/**
 * A whole rendered call. Its parts are plain JSON and are described in `core/rendering.ts`, since they go over the wire:
 * channels lay them out as they can.
 */
import type { CallParts, IntentKind } from '../core/rendering.ts'
import type { Mask } from './masks/mask.ts'

export interface Rendering extends CallParts {
  /** The tool's name, in quotes unless it is a plain one. */
  tool: string
  /** What the call would do, on one line and in the reader's language: "Run npm test". */
  title: string
  intent: IntentKind
  /** The tool and what it is given, on one line. */
  summary: string
  masks: Mask[]
  /** What a person should know before they read on. In the rendering's language. */
  warnings: string[]
  /** A part of some argument is not shown: whoever reads this has not seen the whole call (P9). */
  isShortened?: true
}

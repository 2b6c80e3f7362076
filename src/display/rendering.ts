/**
 * A whole rendered call. Its parts are plain JSON and are described in `core/rendering.ts`, since they go over the wire:
 * channels lay them out as they can.
 */
import type { CallParts } from '../core/rendering.ts'
import type { Mask } from './masks/mask.ts'

export interface Rendering extends CallParts {
  title: string
  /** One line, for a notification or a list. */
  summary: string
  masks: Mask[]
  /** What a person should know before they read on. In the rendering's language. */
  warnings: string[]
}

/** How much of a long value is shown before somebody asks for more: about a screen, or a few lines beside other things. */
import type { FoldLimits } from '../../components/text/fold.ts'

export const BLOCK_LIMITS: FoldLimits = { characters: 1800, lines: 24 }
export const COMPACT_LIMITS: FoldLimits = { characters: 700, lines: 9 }
/** A value inside a tree, or a text of somebody's. */
export const VALUE_LIMITS: FoldLimits = { characters: 600, lines: 9 }
/** A short value among others. */
export const FIELD_LIMITS: FoldLimits = { characters: 400, lines: 4 }
/** What an agent says of its own call, between the call and the buttons. */
export const REASON_LIMITS: FoldLimits = { characters: 280, lines: 4 }

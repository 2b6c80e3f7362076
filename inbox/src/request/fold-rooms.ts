/** How much of a long value is shown before somebody asks for more: about a screen, or a few lines beside other things. */
import type { Room } from '../parts/fold.ts'

export const BLOCK_ROOM: Room = { characters: 1800, lines: 24 }
export const COMPACT_ROOM: Room = { characters: 700, lines: 9 }
/** A value inside a tree, or a text of somebody's. */
export const VALUE_ROOM: Room = { characters: 600, lines: 9 }
/** A short value among others. */
export const FIELD_ROOM: Room = { characters: 400, lines: 4 }

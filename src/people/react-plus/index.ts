/** Chat and approval over server-sent events and REST: the doors where people come in, and the channel they are asked in. */
export { createReactPlusChannel, type ReactPlusChannelOptions } from './channel.ts'
export { createReactPlusDoors, type ReactPlusDoorOptions } from './doors.ts'

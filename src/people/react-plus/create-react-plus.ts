/** Chats over server-sent events, as a driver. */
import { defined } from '../../core/defined.ts'
import type { ChannelDriver } from '../driver.ts'
import { createReactPlusChannel, type ReactPlusChannelOptions } from './channel.ts'
import { createReactPlusDoors, type ReactPlusDoorOptions } from './doors.ts'

export interface ReactPlusOptions extends ReactPlusChannelOptions, ReactPlusDoorOptions {
  /** Whether logging in leaves a cookie that opens this chat to pages that can't send a header. */
  cookie?: boolean
  /** A folder whose files are served at `/react-plus/`. */
  pages?: string
}

/** All of its doors are below it. */
const COOKIE_PATH = '/api/agent/chat'

export function createReactPlus(options: ReactPlusOptions = {}): ChannelDriver {
  const { cookie = false, pages } = options
  return {
    channel: createReactPlusChannel(options),
    connect: (ports) => ({
      doors: createReactPlusDoors(ports, options),
      ...defined({
        cookiePath: cookie ? COOKIE_PATH : undefined,
        pages: pages === undefined ? undefined : { prefix: '/react-plus/', folder: pages },
      }),
    }),
  }
}

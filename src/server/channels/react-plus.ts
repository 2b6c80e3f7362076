/** Chats over server-sent events, where `reactPlus:` is written. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { defineChannel } from './channel-registration.ts'
import { shortDuration } from './duration-schema.ts'

export const reactPlus = defineChannel({
  key: 'reactPlus',
  schema: z.strictObject({
    enabled: z.boolean().default(true),
    cookie: z.boolean().default(false),
    pages: z.string().min(1, 'must be the path of a folder').optional(),
    deadline: shortDuration.optional(),
  }),
  read(block, { folder }) {
    if (block?.enabled !== true) return undefined
    const pages = block.pages === undefined ? undefined : resolve(folder, block.pages)
    return { cookie: block.cookie, ...defined({ pages, deadlineMs: block.deadline }) }
  },
  async create(options) {
    const { createReactPlus } = await import('../../people/react-plus/create-react-plus.ts')
    return createReactPlus(options)
  },
})

import { expect, it } from 'vitest'
import type { Context } from '../command-line/command.ts'
import { serverPlace } from './server-place.ts'

const terminal: Context['terminal'] = {
  isInteractive: false,
  columns: undefined,
  locale: 'en',
  paint: (_, text) => text,
  print() {},
  note() {},
  ask: async () => undefined,
  askSecret: async () => undefined,
}
const context: Context = { cwd: '/nowhere/shop', environment: {}, terminal }

it('where no server runs, says who has to start one, with which command and where', () => {
  expect(() => serverPlace({ server: undefined, data: undefined }, context)).toThrow(
    'no Banksman server is running on /nowhere/shop/.banksman. The user has to start it: run `banksman start` in /nowhere/shop',
  )
  expect(() => serverPlace({ server: undefined, data: '/nowhere/data' }, context)).toThrow(
    'run `banksman start --data /nowhere/data`',
  )
})

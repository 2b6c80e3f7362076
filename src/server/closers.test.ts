import { expect, it } from 'vitest'
import { createClosers } from './closers.ts'

it('closes in the opposite order, once, and goes on after a fault', async () => {
  const closed: string[] = []
  const closers = createClosers()
  const add = (name: string, fails = false) =>
    closers.add({
      async close() {
        closed.push(name)
        if (fails) throw new Error(name)
      },
    })
  add('store')
  add('gateway', true)
  add('listeners', true)
  await expect(closers.close()).rejects.toThrow('listeners')
  expect(closed).toEqual(['listeners', 'gateway', 'store'])
  await closers.close()
  expect(closed).toHaveLength(3)
})

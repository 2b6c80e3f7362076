import { describe, expect, it } from 'vitest'
import { createIdempotencyKeys } from './idempotency-keys.ts'

const done = async () => 'done'
const use = (key: string, body = 'a') => ({ subject: 's', key, body })

describe('an idempotency key', () => {
  it('is free again when the submission failed', async () => {
    const keys = createIdempotencyKeys()
    const failing = () => Promise.reject(new Error('full'))
    await expect(keys.run(use('k'), failing)).rejects.toThrow('full')
    expect(await keys.run(use('k', 'b'), done)).toBe('done')
    await expect(keys.run(use('k', 'a'), done)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    // A failure of a repetition does not free what the first one holds.
    await expect(keys.run(use('k', 'b'), failing)).rejects.toThrow('full')
    await expect(keys.run(use('k', 'a'), done)).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  it('is held while the submission is under way', async () => {
    const keys = createIdempotencyKeys()
    let finish = (_: string) => {}
    const first = keys.run(use('k'), () => new Promise<string>((resolve) => (finish = resolve)))
    await expect(keys.run(use('k', 'b'), done)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    finish('first')
    expect(await first).toBe('first')
  })

  it('is kept for a day', async () => {
    let now = 0
    const keys = createIdempotencyKeys(() => now)
    await keys.run(use('k'), done)
    now = 24 * 60 * 60_000 - 1
    await expect(keys.run(use('k', 'b'), done)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    now++
    expect(await keys.run(use('k', 'b'), done)).toBe('done')
  })

  it('makes room for newer ones: the oldest is forgotten, the newest never', async () => {
    const keys = createIdempotencyKeys()
    for (let count = 0; count < 10_001; count++) await keys.run(use(`k${count}`), done)
    expect(await keys.run(use('k0', 'b'), done)).toBe('done')
    await expect(keys.run(use('k10000', 'b'), done)).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })
})

import { describe, expect, it } from 'vitest'
import { createKeyStore } from './key-store.ts'

describe('the key store', () => {
  it('keeps the key in the storage and forgets it there', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    } as unknown as Storage
    const keys = createKeyStore(() => storage)
    expect(keys.read()).toBeUndefined()
    keys.write('bmp_1')
    expect([...kept.values()]).toEqual(['bmp_1'])
    expect(createKeyStore(() => storage).read()).toBe('bmp_1')
    keys.forget()
    expect(kept.size).toBe(0)
    expect(keys.read()).toBeUndefined()
  })

  it('holds it for the visit where the browser refuses to keep anything', () => {
    const keys = createKeyStore(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    keys.write('bmp_1')
    expect(keys.read()).toBe('bmp_1')
    keys.forget()
    expect(keys.read()).toBeUndefined()
  })
})

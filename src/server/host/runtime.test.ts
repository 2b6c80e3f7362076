import { describe, expect, it } from 'vitest'
import { checkRuntime } from './runtime.ts'

describe('the runtime', () => {
  it.each(['22.13.0', '22.20.1', '24.0.0', '100.1.0'])('%s will do', (version) => {
    expect(() => checkRuntime(version)).not.toThrow()
  })

  it.each(['18.20.0', '20.20.2', '22.12.9', '', 'x'])('%j is told what is needed', (version) => {
    expect(() => checkRuntime(version)).toThrowError(expect.objectContaining({ code: 'unsupported_runtime' }))
  })
})

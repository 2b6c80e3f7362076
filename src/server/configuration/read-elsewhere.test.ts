import { describe, expect, it } from 'vitest'
import { mistakeElsewhere, refuseSlow } from './read-elsewhere.ts'

const rules = (count: number) =>
  `permissions:\n  deny:\n${Array.from({ length: count }, (_, at) => `    - "Read(./a${at}/**/b)"\n`).join('')}`
const written = (text: string) => ({ text, file: 'banksman.yaml', defaultOwner: 'ana' })

describe('P5: a text that nobody has trusted', () => {
  it.each([
    ['short', 3],
    ['long', 1000],
  ])('%s: its mistake is told with its place', async (_, count) => {
    expect(await mistakeElsewhere(written(rules(count)))).toBeUndefined()
    const mistake = await mistakeElsewhere(written(`${rules(count)}rols: {}\n`))
    expect(mistake).toMatchObject({ code: 'invalid_configuration' })
    expect(mistake?.message).toContain(`banksman.yaml:${count + 3}:1: unknown key "rols"`)
  })

  it('that takes longer to read than it may is refused, and never read here', async () => {
    const slow = 'reading it takes too long; write fewer or shorter rules'
    expect((await mistakeElsewhere(written(rules(3000)), 0))?.message).toBe(slow)
    await expect(refuseSlow(written(rules(3000)), 0)).rejects.toThrow(slow)
    await expect(refuseSlow(written(rules(1000)))).resolves.toBeUndefined()
  })
})

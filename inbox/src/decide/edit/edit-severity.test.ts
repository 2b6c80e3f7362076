import { describe, expect, it } from 'vitest'
import type { Severity } from '../../../../src/client/index.ts'
import { SEVERITIES } from '../../../../src/core/verdict.ts'
import { higherSeverity, riskOf, submitWords } from './edit-severity.ts'

const preview = (severity: string, newRules: string[] = []) => ({ severity: severity as Severity, newRules })

describe('how dangerous an edit is', () => {
  it('the higher of two severities is the one, whichever comes first', () => {
    for (const [index, low] of SEVERITIES.entries()) {
      for (const high of SEVERITIES.slice(index)) {
        expect(higherSeverity(low, high)).toBe(high)
        expect(higherSeverity(high, low)).toBe(high)
      }
    }
  })

  it.each(['high', 'critical'] as const)(
    'an edit that makes an ordinary call %s takes a second step',
    (made) => {
      const risk = riskOf('normal', preview(made))
      expect(risk).toEqual({ severity: made, isKnown: true, takesSecondStep: true })
      expect(submitWords('Approve', risk)).toBe('Approve…')
    },
  )

  it('an edit that makes a dangerous call look harmless is still as dangerous as what was asked', () => {
    const risk = riskOf('critical', preview('low'))
    expect(risk).toMatchObject({ severity: 'critical', takesSecondStep: true })
  })

  it('only what is known to be harmless is approved in one press, and its button says so', () => {
    expect(submitWords('Approve', riskOf('normal', preview('normal')))).toBe('Approve')
    expect(submitWords('Approve', riskOf('low', preview('low')))).toBe('Approve')
    expect(submitWords('Approve', riskOf('normal', preview('normal', ['a rule'])))).toBe('Approve…')
  })

  it.each([
    ['while nobody knows what the policy makes of it', undefined],
    ['where the page does not know the word', preview('apocalyptic')],
    ['where there is no word', { newRules: [] } as unknown as ReturnType<typeof preview>],
  ])('it takes a second step %s', (_, given) => {
    expect(riskOf('normal', given)).toEqual({ severity: 'normal', isKnown: false, takesSecondStep: true })
    expect(riskOf('critical', given)).toMatchObject({ severity: 'critical', isKnown: false })
  })
})

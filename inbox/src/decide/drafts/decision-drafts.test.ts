import { describe, expect, it } from 'vitest'
import { beginEdit } from '../edit/draft/edit-draft.ts'
import { createDecisionDrafts, decisionDraftsOf, isEmptyDraft } from './decision-drafts.ts'

describe('what was written and not sent', () => {
  it('is there again when the request is opened again, until it is forgotten', () => {
    const drafts = createDecisionDrafts()
    const first = drafts.of('req_1')
    first.value = { ...first.value, reason: 'not today' }
    expect(drafts.of('req_1').value.reason).toBe('not today')
    expect(drafts.of('req_2').value.reason).toBe('')
    drafts.forget('req_1')
    expect(drafts.of('req_1').value.reason).toBe('')
    expect(first.value.reason).toBe('')
  })

  it('P6: belongs to who wrote it', () => {
    const mine = decisionDraftsOf('ana').of('req_1')
    mine.value = { ...mine.value, text: 'mine' }
    expect(decisionDraftsOf('ana').of('req_1').value.text).toBe('mine')
    expect(decisionDraftsOf('ben').of('req_1').value.text).toBe('')
    expect(decisionDraftsOf('ana').of('req_1').value.text).toBe('')
  })

  it('keeps what was written rather than what was only looked at, and not without end', () => {
    const drafts = createDecisionDrafts()
    const written = drafts.of('written')
    written.value = { ...written.value, text: 'x' }
    for (let count = 0; count < 500; count++) drafts.of(`looked-${count}`)
    expect(drafts.of('written').value.text).toBe('x')
    for (let count = 0; count < 500; count++) {
      const other = drafts.of(`other-${count}`)
      other.value = { ...other.value, text: 'y' }
    }
    expect(drafts.of('written').value.text).toBe('')
  })

  it('knows what nobody has written in for empty', () => {
    const { value: empty } = createDecisionDrafts().of('req_1')
    expect(isEmptyDraft(empty)).toBe(true)
    expect(isEmptyDraft({ ...empty, reason: ' ' })).toBe(true)
    expect(isEmptyDraft({ ...empty, edit: beginEdit('d', { a: 1 }) })).toBe(false)
    expect(isEmptyDraft({ ...empty, answers: new Map([['q', { choices: ['a'], text: '' }]]) })).toBe(false)
    expect(isEmptyDraft({ ...empty, answers: new Map([['q', { choices: [], text: '' }]]) })).toBe(true)
  })
})

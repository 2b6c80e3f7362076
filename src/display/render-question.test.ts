import { expect, it } from 'vitest'
import { renderCall } from './render.ts'

it('P9: a question is summed up by its text, unless that is masked, and says how many more there are', () => {
  const ask = (...texts: (string | number)[]) => {
    const questions = texts.map((question, index) => ({ id: `q${index}`, question }))
    return renderCall({ tool: 'ask_user_question', arguments: { questions } }).summary
  }
  expect(ask('Which colour?')).toBe('ask_user_question: Which colour?')
  expect(ask('Which\u202ecolour?', 'Why?')).toBe(
    'ask_user_question: Which⟨U+202E RLO⟩colour? ⟨… 1 item left out⟩',
  )
  const secret = `ghp_${'aB3dE5fG7h'.repeat(3)}abcdef`
  expect(ask(secret)).not.toContain(secret)
  for (const odd of ['', 7]) expect(ask(odd)).toBe('ask_user_question: ⟨… 1 argument left out⟩')
  const other = { tool: 'other', arguments: { questions: [{ question: 'Which?' }] } }
  expect(renderCall(other).summary).toContain('left out')
})

/** P9: no argument of a call can pass for a line that we say of it. */
import { expect, it } from 'vitest'
import { renderCall } from '../../display/render.ts'
import { renderText } from '../../display/render-text.ts'
import { makeRequest } from '../fixtures/requests.ts'
import { requestText } from './request-text.ts'
import { requestWords } from './request-words.ts'

const PLAIN = /^[A-Z]\w*$/
const LABELS = [
  'Tool',
  ...Object.values(requestWords('en')).filter((word) => typeof word === 'string' && PLAIN.test(word)),
  'Question',
] as string[]

it.each(LABELS)('P9: an argument that is called %s is no line of ours', (label) => {
  const rendering = renderCall({ tool: 'deploy', arguments: { [label]: 'as an agent likes it' } })
  const { rendering: before } = makeRequest('a')
  const request = makeRequest('a', { rendering: { ...before, text: renderText(rendering) } })
  const text = requestText(request, { locale: 'en', paint: (_, line) => line, columns: 80, now: 0 })
  expect(text).toContain(`\n"${label}": as an agent likes it`)
  expect(text).not.toContain(`\n${label}: as an agent likes it`)
})

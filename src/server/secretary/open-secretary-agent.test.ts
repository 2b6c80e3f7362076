import { expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import { canAnswer } from './open-secretary-agent.ts'

it('a model whose package is missing is none for the secretary, and people are told', async () => {
  const said: string[] = []
  const failing = (error: Error) => ({ prepare: () => Promise.reject(error) })
  const missing = new BanksmanError('missing_dependency', 'install it: npm install x')
  expect(await canAnswer(failing(missing), (line) => said.push(line))).toBe(false)
  expect(said).toEqual([expect.stringMatching(/goes to their session: install it: npm install x/)])
  expect(await canAnswer({}, (line) => said.push(line))).toBe(true)
  await expect(canAnswer(failing(new Error('broken')), () => {})).rejects.toThrow('broken')
})

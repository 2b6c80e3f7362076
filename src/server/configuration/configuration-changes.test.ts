import { expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'
import {
  AT_NEXT_START,
  changedAtNextStart,
  describeAppliedChanges,
  startedWith,
} from './configuration-changes.ts'

const read = (text: string) => readConfiguration(text, '/x/banksman.yaml', 'ana')
const BEFORE = 'policy: {}'

it.each([
  ['agent: { instructions: be brief }', 'agent'],
  ['hooks: { processes: { gate: { command: [node], intercept: [before_tool] } } }', 'hooks'],
  ['pet: {}', 'pet'],
  ['reactPlus: {}', 'reactPlus'],
  ['push: { on: true, contact: "mailto:ana@example.org" }', 'push'],
  ['store: "memory:"', 'store'],
  ['postgres: { schema: other }', 'postgres'],
  ['redis: { prefix: other }', 'redis'],
  ['proxy: { listen: "127.0.0.1:4791" }', 'proxy.listen'],
  ['expiresIn: 5m', 'expiresIn'],
  ['owner: eve', "owner (who the server's own user is)"],
])('%s takes effect when the server is started again, and that is said', (line, name) => {
  const after = read(`${BEFORE}\n${line}\n`)
  expect(changedAtNextStart(startedWith(read(BEFORE)), after)).toEqual([name])
  expect(AT_NEXT_START).toContain(name)
  expect(describeAppliedChanges(read(BEFORE), after)).toContain(
    `${name} takes effect when the server is started again`,
  )
})

it.each(['names: [a.example.org]', 'proxy: { from: [10.0.0.7] }', 'retention: 3d', 'people: { eve: }'])(
  '%s holds at once',
  (line) => {
    expect(changedAtNextStart(startedWith(read(BEFORE)), read(`${BEFORE}\n${line}\n`))).toEqual([])
  },
)

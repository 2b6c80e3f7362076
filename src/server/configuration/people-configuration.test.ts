import { describe, expect, it } from 'vitest'
import { relay } from '../channels/fixtures/relay.ts'
import { CHANNELS } from '../channels/registrations.ts'
import { directoryOf } from '../composition/directory.ts'
import { readConfiguration } from './configuration.ts'

const read = (text: string) => readConfiguration(text, '/x/banksman.yaml', 'ana', [...CHANNELS, relay])

describe('people and their accounts', () => {
  it('are read for the services that are registered, and are in the directory', () => {
    const configuration = read('people: { ana: { relay: 417 }, ben: { groups: [sre], relay: acct_b }, eve: }')
    const { people } = directoryOf(configuration, [], 0)
    expect([...people]).toEqual([
      ['ana', { groups: [], accounts: new Map([['relay', '417']]) }],
      ['ben', { groups: ['sre'], accounts: new Map([['relay', 'acct_b']]) }],
      ['eve', { groups: [] }],
    ])
  })

  it.each([
    ['people: { ana: { slack: U1 } }', /unknown key "slack".*groups, quietHours, feishu, telegram, relay/],
    [
      'people: { ana: { relay: ana@example.org } }',
      /1:18: people\.ana\.relay must be the id of an account, as in acct_1f/,
    ],
    ['people: { ana: { relay: 1.5 } }', /id of an account/],
    ['people: { ana: { relay: [acct_1] } }', /id of an account/],
    [
      'people:\n  ana: { relay: acct_1 }\n  ben: { relay: acct_1 }',
      /3:10: people\.ben\.relay is the account of ana already/,
    ],
  ])('P5: %j is refused, with its place', (text, says) => {
    expect(() => read(text)).toThrow(says)
  })

  it('without a service there are no accounts', () => {
    const without = CHANNELS.filter(({ service }) => service === undefined)
    expect(() =>
      readConfiguration('people: { ana: { relay: acct_1 } }', '/x/banksman.yaml', 'ana', without),
    ).toThrow(/unknown key "relay".*The keys here are groups, quietHours$/)
  })

  it('quiet hours are read, and in the directory', () => {
    const quietHours = { from: '22:00', to: '07:00', zone: 'Europe/Amsterdam' }
    const { people } = directoryOf(
      read(`people: { ana: { quietHours: ${JSON.stringify(quietHours)} } }`),
      [],
      0,
    )
    expect(people.get('ana')).toEqual({ groups: [], quietHours })
  })

  it.each([
    ['{ from: "24:00", to: "07:00", zone: UTC }', /time of day/],
    ['{ from: "22:00", to: "22:00", zone: UTC }', /different times/],
    ['{ from: "22:00", to: "07:00", zone: Mars }', /time zone/],
    ['{ from: "22:00", to: "07:00" }', /zone/],
    ['{ from: "22:00", to: "07:00", zone: UTC, every: day }', /unknown key "every".*from, to, zone$/],
  ])('quiet hours %s are refused', (written, says) => {
    expect(() => read(`people: { ana: { quietHours: ${written} } }`)).toThrow(says)
  })
})

import { expect, it } from 'vitest'
import { inspectProxy } from './inspect-proxy.ts'

const listen = { host: '127.0.0.1', port: 4791 }
const kinds = (names: string[], proxy: Parameters<typeof inspectProxy>[0]['proxy']) =>
  inspectProxy({ names, proxy }).map(({ kind, detail }) => `${kind}: ${detail}`)

it('says where a proxy comes in, and warns where that is not said', () => {
  const none = { listen: undefined, from: [] }
  expect(kinds([], none)).toEqual([expect.stringMatching(/^ok: none is configured/)])
  expect(kinds(['a.example.org'], none)).toEqual([expect.stringMatching(/^warning: .*count as local$/)])
  expect(kinds(['a.example.org'], { listen, from: ['10.0.0.0/8'] })).toEqual([
    'ok: it comes in at 127.0.0.1:4791, where everybody counts as remote',
    expect.stringContaining('a request from 10.0.0.0/8 is refused unless X-Forwarded-For'),
  ])
  expect(kinds([], { listen: { path: '/run/x.sock' }, from: [] })).toEqual([
    expect.stringContaining('unix:/run/x.sock'),
    expect.stringMatching(/^warning: no name of it is known/),
  ])
})

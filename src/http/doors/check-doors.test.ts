import { expect, it } from 'vitest'
import type { Door } from '../../people/door.ts'
import { checkDoors } from './check-doors.ts'

const place = { channel: 'relay', path: '/relay/x', summary: 'A door.' }
const answer = async () => ({ kind: 'empty', status: 204 }) as const
const CREDENTIAL: Door = {
  kind: 'credential',
  ...place,
  method: 'POST',
  credential: 'bearer',
  maxBodyBytes: 10,
  answer,
}
const SIGNED: Door = {
  kind: 'signed',
  ...place,
  body: 'form',
  maxBodyBytes: 10,
  places: 1,
  verify: () => true,
  answer,
}
const PUBLIC: Door = { kind: 'public', ...place, places: 1, answer }
const SOCKET: Door = {
  kind: 'socket',
  channel: 'relay',
  summary: 'A door.',
  paths: ['/relay/ws', '/relay/'],
  maxFrameBytes: 10,
  helloWithinMs: 1,
  open: () => ({ hear() {}, gone() {} }),
}

it('one of each kind is mounted', () => {
  expect(() =>
    checkDoors(
      [CREDENTIAL, SIGNED, PUBLIC, SOCKET].map((door, index) =>
        'path' in door ? { ...door, path: `/relay/${index}/{room}` } : door,
      ),
    ),
  ).not.toThrow()
})

/** What no type lets through, and a driver without types could have. */
it.each<[string, Door, object, RegExp]>([
  ['a credential and a form', CREDENTIAL, { body: 'form' }, /has no body/],
  ['a credential and a signature', CREDENTIAL, { verify: () => true }, /has no verify/],
  ['no credential at a credential door', CREDENTIAL, { credential: 'none' }, /bearer/],
  ['another method', CREDENTIAL, { method: 'DELETE' }, /GET or POST/],
  ['a signature and a cookie', SIGNED, { credential: 'bearer_or_cookie' }, /has no credential/],
  ['no verify', SIGNED, { verify: undefined }, /verifies/],
  ['text', SIGNED, { body: 'text' }, /json or form/],
  ['no places', SIGNED, { places: 0 }, /places/],
  ['places without end', SIGNED, { places: Number.POSITIVE_INFINITY }, /places/],
  ['a body without end', SIGNED, { maxBodyBytes: 2 ** 40 }, /maxBodyBytes/],
  ['a public door with a method', PUBLIC, { method: 'POST' }, /has no method/],
  ['a public door with a body', PUBLIC, { maxBodyBytes: 10 }, /has no maxBodyBytes/],
  ['an unknown kind', PUBLIC, { kind: 'constructor' }, /kind is one of/],
  ['no channel', PUBLIC, { channel: '' }, /names its channel/],
  ['a path of the server’s own', PUBLIC, { path: '/v1/decisions' }, /path/],
  ['a path that is none', PUBLIC, { path: 'relay' }, /path/],
  ['a path with a star', PUBLIC, { path: '/relay/*' }, /path/],
  ['a path that any of the server’s own fits', PUBLIC, { path: '/{name}' }, /path/],
  ['a path below anything', SIGNED, { path: '/{name}/decisions' }, /path/],
  ['silence without end', SOCKET, { helloWithinMs: Number.POSITIVE_INFINITY }, /helloWithinMs/],
  ['no number for the silence', SOCKET, { helloWithinMs: Number.NaN }, /helloWithinMs/],
  ['a socket at the server’s own', SOCKET, { paths: ['/v1/socket'] }, /path/],
])('P6: %s is refused', (_, door, change, says) => {
  expect(() => checkDoors([{ ...door, ...change } as Door])).toThrow(says)
})

it.each<[string, Door[]]>([
  ['the same twice', [SIGNED, SIGNED]],
  ['a post of each kind', [SIGNED, CREDENTIAL]],
  [
    'steps of another name',
    [
      { ...PUBLIC, path: '/a/{b}' },
      { ...PUBLIC, path: '/a/{c}' },
    ],
  ],
  ['a socket and a page', [SOCKET, { ...PUBLIC, path: '/relay/ws' }]],
])('P6: two doors at one place are refused: %s', (_, doors) => {
  expect(() => checkDoors(doors)).toThrow(/is a door already/)
})

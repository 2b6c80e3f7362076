/**
 * What every door must be, whatever made it: the types say the same, and a driver in plain JavaScript has none. A server with a
 * door that breaks a rule doesn't start.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { Door } from '../../people/door.ts'
import { MAX_BODY_BYTES } from '../from-wire/read-body.ts'

const MEMBERS: Record<Door['kind'], readonly string[]> = {
  credential: ['method', 'path', 'credential', 'maxBodyBytes', 'answer'],
  signed: ['path', 'body', 'maxBodyBytes', 'places', 'verify', 'answer'],
  public: ['path', 'places', 'answer'],
  socket: ['paths', 'maxFrameBytes', 'helloWithinMs', 'chooseProtocol', 'secretIn', 'open'],
}
const OF_ALL = ['kind', 'channel', 'summary']
/** The first step is a name: one that stands for anything would stand for the server's own too. */
const PATH = /^\/[\w.-]+(?:\/(?:[\w.-]+|\{\w+\}))*\/?$/
/** The server's own. */
const TAKEN = /^\/(?:v1|mcp|healthz|metrics|openapi\.json)(?:\/|$)/

export function checkDoors(doors: readonly Door[]): void {
  const mounted = new Set<string>()
  for (const door of doors) {
    checkDoor(door)
    for (const place of placesOf(door)) {
      if (mounted.has(place)) refuse(door, `${place} is a door already`)
      mounted.add(place)
    }
  }
}

function checkDoor(door: Door): void {
  if (!Object.hasOwn(MEMBERS, door.kind))
    refuse(door, `a door's kind is one of ${Object.keys(MEMBERS).join(', ')}`)
  const known = [...OF_ALL, ...MEMBERS[door.kind]]
  const extra = Object.keys(door).find((name) => !known.includes(name))
  if (extra !== undefined) refuse(door, `a ${door.kind} door has no ${extra}`)
  if (typeof door.channel !== 'string' || door.channel === '') refuse(door, 'a door names its channel')
  for (const path of door.kind === 'socket' ? door.paths : [door.path]) {
    if (!PATH.test(path) || TAKEN.test(path)) refuse(door, `${path} can't be a door's path`)
  }
  switch (door.kind) {
    case 'credential':
      if (!['GET', 'POST'].includes(door.method)) refuse(door, 'a door takes GET or POST')
      if (!['bearer', 'bearer_or_cookie'].includes(door.credential))
        refuse(door, 'a credential door takes bearer or bearer_or_cookie')
      checkNumber(door, 'maxBodyBytes', door.maxBodyBytes, MAX_BODY_BYTES)
      break
    case 'signed':
      if (typeof door.verify !== 'function') refuse(door, 'a signed door verifies what it is sent')
      if (!['json', 'form'].includes(door.body)) refuse(door, 'a signed door takes json or form')
      checkNumber(door, 'maxBodyBytes', door.maxBodyBytes, MAX_BODY_BYTES)
      checkNumber(door, 'places', door.places, MAX_PLACES)
      break
    case 'public':
      checkNumber(door, 'places', door.places, MAX_PLACES)
      break
    case 'socket':
      checkNumber(door, 'maxFrameBytes', door.maxFrameBytes, MAX_BODY_BYTES)
      checkNumber(door, 'helloWithinMs', door.helloWithinMs, MAX_HELLO_MS)
  }
}

/** Sockets that haven't said who they are share their places. */
const MAX_HELLO_MS = 60_000
/** With bodies of the largest size, they take two gigabytes at once. No service calls back so often. */
const MAX_PLACES = 1024

function checkNumber(door: Door, name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return
  refuse(door, `${name} must be a whole number from 1 to ${most}`)
}

function placesOf(door: Door): string[] {
  if (door.kind === 'socket') return door.paths.map((path) => `GET ${path}`)
  const method = door.kind === 'credential' ? door.method : door.kind === 'signed' ? 'POST' : 'GET'
  return [`${method} ${door.path.replaceAll(/\{\w+\}/g, '{}')}`]
}

function refuse(door: Door, why: string): never {
  throw new BanksmanError('invalid_configuration', `a door of channel ${door.channel}: ${why}`)
}

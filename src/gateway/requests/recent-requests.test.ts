import { describe, expect, it } from 'vitest'
import type { Request } from '../../core/request.ts'
import { createRecentRequests } from './recent-requests.ts'

const request = (id: string, version = 1) => ({ id, version, state: 'pending', bytes: '{}' }) as Request

describe('what was last seen here', () => {
  it('P7: is not kept when the hint of another came while it was being written', () => {
    const recent = createRecentRequests()
    const mark = recent.mark('r1')
    recent.strike(['r1'])
    recent.keep(request('r1'), mark)
    expect(recent.get('r1')).toBeUndefined()
    recent.keep(request('r1', 2), recent.mark('r1'))
    expect(recent.get('r1')?.version).toBe(2)
  })

  it('is struck out by name, and the others stay; without names all go', () => {
    const recent = createRecentRequests()
    for (const id of ['r1', 'r2', 'r3']) recent.keep(request(id), recent.mark(id))
    const mark = recent.mark('r3')
    recent.strike(['r1', 'r9'])
    expect(['r1', 'r2', 'r3'].map((id) => recent.get(id)?.id)).toEqual([undefined, 'r2', 'r3'])
    recent.keep(request('r3', 2), mark)
    expect(recent.get('r3')?.version).toBe(2)
    recent.strike()
    recent.keep(request('r3', 2), mark)
    expect(['r1', 'r2', 'r3'].map((id) => recent.get(id))).toEqual([undefined, undefined, undefined])
  })

  it('P7: more hints than are remembered make every mark old', () => {
    const recent = createRecentRequests()
    const marks = ['r1', 'other'].map((id) => recent.mark(id))
    recent.strike(['r1'])
    for (let index = 0; index < 5000; index++) recent.strike([`x${index}`])
    recent.keep(request('r1'), marks[0]!)
    recent.keep(request('other'), marks[1]!)
    expect([recent.get('r1'), recent.get('other')]).toEqual([undefined, undefined])
  })
})

import { describe, expect, it } from 'vitest'
import { hookGroupsFile, hooksIn } from './hook-groups.ts'

const entry = (command: string) => ({ type: 'command', command })
const file = hookGroupsFile({
  path: '/settings.json',
  wanted: [
    { event: 'PreToolUse', group: { matcher: '*', hooks: [entry('ours')] } },
    { event: 'Stop', group: { hooks: [entry('ours after')] } },
  ],
  isOurs: ({ command }) => String(command).startsWith('ours'),
})
const theirs = `{
  "hooks": {
    // keep me
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "theirs" }] }
    ]
  }
}
`

describe('hooks in a file of an agent', () => {
  it.each([
    ['no file', undefined],
    ['an object', '{}\n'],
    ['hooks of others', theirs],
    ['no hooks', '{\n  "model": "x"\n}\n'],
    ['empty hooks', '{\n  "hooks": {}\n}\n'],
    ['an empty list', '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'],
  ])('are put in and taken out again: %s', (_, before) => {
    const added = file.add(before)
    expect(file.find(added)).toBe('there')
    expect(hooksIn(added).filter(({ entry }) => entry.command !== 'theirs')).toHaveLength(2)
    expect(file.find(before)).toBe('missing')
    const left = file.remove(added, before)
    if (before === undefined) expect(left).toBeUndefined()
    else expect(JSON.parse(left!.replace(/\/\/.*/g, ''))).toEqual(JSON.parse(before.replace(/\/\/.*/g, '')))
  })

  it('come behind those of others', () => {
    expect(hooksIn(file.add(theirs)).map(({ event, at, entry }) => [event, at, entry.command])).toEqual([
      ['PreToolUse', 0, 'theirs'],
      ['PreToolUse', 1, 'ours'],
      ['Stop', 0, 'ours after'],
    ])
  })

  it('go alone: what others have put before, behind and into our group stays', () => {
    const later = JSON.parse(file.add('{}'))
    later.hooks.PreToolUse.unshift({ matcher: 'a', hooks: [entry('first')] })
    later.hooks.PreToolUse.push({ matcher: 'b', hooks: [entry('last')] })
    later.hooks.PreToolUse[1].hooks.push(entry('inside'))
    later.other = true
    const left = file.remove(JSON.stringify(later), '{}')!
    expect(JSON.parse(left)).toEqual({
      hooks: {
        PreToolUse: [
          { matcher: 'a', hooks: [entry('first')] },
          { matcher: '*', hooks: [entry('inside')] },
          { matcher: 'b', hooks: [entry('last')] },
        ],
      },
      other: true,
    })
  })

  it('that somebody has changed are found, and still go', () => {
    const changed = file.add('{}').replace('"*"', '"Read"')
    expect(file.find(changed)).toBe('changed')
    expect(file.find(file.add(file.add('{}')))).toBe('changed')
    expect(JSON.parse(file.remove(changed, '{}')!)).toEqual({})
  })

  it.each([
    ['a list', '[]'],
    ['hooks that are a list', '{"hooks":[]}'],
    ['an event that is an object', '{"hooks":{"PreToolUse":{}}}'],
    ['half a JSON', '{"hooks":'],
  ])('are not put into %s', (_, text) => {
    expect(() => file.add(text)).toThrow(/must be|isn't JSON/)
  })
})

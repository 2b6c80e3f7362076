import { describe, expect, it } from 'vitest'
import { nameCharacter } from '../text/escapes.ts'
import { sayHiddenCharacter } from './hidden-characters.ts'

describe('what a hidden character is called', () => {
  it('is said in Chinese, whichever character it is', () => {
    const names = new Set<string>()
    for (let code = 0; code <= 0x10ffff; code++) {
      // Letters of the large blocks are all named alike.
      if ((code > 0x3400 && code < 0xa000) || (code > 0x20000 && code < 0xe0000)) continue
      names.add(nameCharacter(code).name)
    }
    expect(names.size).toBeGreaterThan(40)
    expect([...names].filter((name) => sayHiddenCharacter(name, 'zh') === name)).toEqual([])
    expect(sayHiddenCharacter('right-to-left override', 'en')).toBe('right-to-left override')
  })
})

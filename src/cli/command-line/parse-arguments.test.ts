import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandFailure } from '../output/failures.ts'
import { parseArguments } from './parse-arguments.ts'

const OPTIONS = {
  yes: { kind: 'flag', about: 'yes' },
  json: { kind: 'flag', about: 'json' },
  reason: { kind: 'text', value: 'TEXT', about: 'why' },
  scope: { kind: 'text', value: 'SCOPE', about: 'how far', oneOf: ['once', 'always'] },
  config: { kind: 'text', value: 'FILE', about: 'which file', formerly: 'file' },
} as const
const POSITIONALS = [{ name: 'id', required: true }]

const parse = (...args: string[]) => parseArguments(args, OPTIONS, POSITIONALS)

describe('parseArguments', () => {
  it('gives every option a value, whether it was there or not', () => {
    expect(parse('one', '--yes', '--reason', 'because')).toEqual({
      values: { yes: true, json: false, reason: 'because', scope: undefined, config: undefined },
      positionals: ['one'],
      notes: [],
    })
  })

  it('takes values after = that begin with a dash, and everything after --', () => {
    expect(parse('--reason=--yes', '--', '--json')).toEqual({
      values: { yes: false, json: false, reason: '--yes', scope: undefined, config: undefined },
      positionals: ['--json'],
      notes: [],
    })
  })

  it('leaves the words of another program alone, whatever they look like', () => {
    const rest = [{ name: 'command', required: false, rest: true }] as const
    const foreign = (...args: string[]) => parseArguments(args, OPTIONS, rest)
    const words = ['npx', '-y', 'server', '--yes', '--reason', '--', '--json', '', `bma_${'x'.repeat(30)}`]
    expect(foreign('--reason', 'r', '--', ...words)).toMatchObject({
      values: { yes: false, json: false, reason: 'r' },
      positionals: words,
    })
    expect(foreign('--yes').positionals).toEqual([])
    expect(foreign('--').positionals).toEqual([])
    // Without -- they could be read as ours.
    expect(() => foreign('npx', '-y', 'server')).toThrow(/unknown option|after --/)
    expect(() => foreign('server')).toThrow('after --')
  })

  it('never takes the next option for a value', () => {
    expect(() => parse('one', '--reason', '--yes')).toThrow('--reason needs a value')
    expect(() => parse('one', '--reason')).toThrow('--reason needs a value')
    expect(() => parse('one', '--reason=')).toThrow('--reason needs a value')
  })

  it('takes an option by the name it had before, with a note, and not twice', () => {
    const { values, notes } = parse('one', '--file', 'a.yaml')
    expect(values).toMatchObject({ config: 'a.yaml' })
    expect(values).not.toHaveProperty('file')
    expect(notes).toEqual(['--file is now --config, and will be gone in the next release'])
    expect(() => parse('one', '--file', 'a.yaml', '--config', 'b.yaml')).toThrow('is there twice')
    expect(() => parse('one', '--file')).toThrow('--file needs a value')
  })

  it.each(['__proto__', 'constructor', 'toString'])('knows no option --%s', (name) => {
    expect(() => parse('one', `--${name}`)).toThrow('unknown option')
  })

  it('whatever the arguments are, gives values or a usage error', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '--yes',
        '--no-yes',
        '--reason',
        '--scope',
        'once',
        '-y',
        '--',
        '-',
        '--=',
        '--reason=x',
        '--yes=1',
      ),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (args) => {
        try {
          const { values, positionals } = parse(...args)
          expect(positionals).toHaveLength(1)
          // A flag is only ever set by its own name.
          expect(values.yes).toBe(beforeSeparator(args).includes('--yes'))
        } catch (error) {
          expect(error).toBeInstanceOf(CommandFailure)
          expect((error as CommandFailure).exit).toBe(2)
        }
      }),
    )
  })

  it('reads back what was written', () => {
    // Without what is refused: tokens, and texts that are no value.
    const text = fc.string({ minLength: 1 }).filter((one) => !one.includes('bm'))
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.boolean(), (id, reason, yes, first) => {
        const options = [`--reason=${reason}`, ...(yes ? ['--yes'] : [])]
        const args = first && !id.startsWith('-') ? [id, ...options] : [...options, '--', id]
        expect(parse(...args)).toEqual({
          values: { yes, json: false, reason, scope: undefined, config: undefined },
          positionals: [id],
          notes: [],
        })
      }),
    )
  })
})

function beforeSeparator(args: string[]): string[] {
  const at = args.indexOf('--')
  return at === -1 ? args : args.slice(0, at)
}

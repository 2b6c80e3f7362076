import type { ScriptReason } from './script-reason.ts'
/**
 * Whether a template of Go's, as `docker inspect --format` takes it, shows no more than the fields that are named. Only
 * the plainest forms are understood: fields, a few words, texts and numbers. A lone dot is everything, and so is a
 * variable; neither is.
 */

/** Undefined where it does not, else what is in the way, as a clause. */
export function whyTemplateShowsMore(template: string, fields: readonly string[]): ScriptReason | undefined {
  if (!template.includes('{{')) return { code: 'script.fields' }
  // Behind the last end no action ends, and each `{{` there would be followed to the end of the text.
  const end = template.lastIndexOf('}}') + 2
  const ended = end < 2 ? '' : template.slice(0, end)
  const actions = [...ended.matchAll(/\{\{(.*?)\}\}/gs)].map(([, action = '']) => action)
  const rest = ended.replaceAll(/\{\{.*?\}\}/gs, '') + template.slice(ended.length)
  if (/\{\{|\}\}/.test(rest)) return { code: 'script.open' }
  for (const action of actions) {
    const words = action.replaceAll(/"[^"\\]*"/g, '0').trim()
    if (!/^[\w. ]*$/.test(words)) return { code: 'script.fields' }
    for (const word of words.split(/ +/)) {
      if (word.startsWith('.') ? !isShown(word, fields) : !/^\d*$/.test(word) && !WORDS.has(word)) {
        return { code: 'script.field', values: { part: word } }
      }
    }
  }
  return undefined
}

const WORDS = new Set('range end if else json println print len upper lower eq ne not and or'.split(' '))

/** Fields of what is ranged over stand by themselves; those that are named are harmless at every level. */
function isShown(field: string, fields: readonly string[]): boolean {
  return fields.some((one) => field === one || field.startsWith(`${one}.`))
}

/**
 * Where a conversation is in its script, and what comes next. It goes by the messages alone and keeps nothing, so that it
 * is right after a restart, behind an HTTP server, and when two conversations are held at once.
 *
 * The place is found from the last message that set the course:
 * - Messages of people that stand together are one.
 * - One that contains the words of a scene sets that scene, wherever it stands: a person may steer into another scene.
 *   Of several that stand together the last one counts.
 * - One that contains no scene's words begins a turn where nothing is open before it (no assistant's message, or one
 *   without calls), and then sets the scene that is for everything else.
 * - Any other came in while calls were being worked on. It steers, and the scene goes on where it is.
 *
 * The n-th question to the model since then (counted by the assistant's messages) gets the n-th step.
 */

import type { Usage } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import type { JsonValue } from '../../../core/json/json.ts'
import type { ModelFinish, ModelMessage, ModelRequest } from '../model.ts'
import { readRefusal } from '../providers/read-refusal.ts'
import type { ModelScript, ScriptAnswer, ScriptCondition, ScriptedFailure, ScriptScene } from './script.ts'

export interface ScriptedAnswer {
  /** For messages: `scene 1, step 2`. */
  place: string
  think: string
  say: string
  calls: { id: string; tool: string; argumentsText: string }[]
  finish: ModelFinish
  usage: Usage
  delayMs: number
  fail?: ScriptedFailure
}

/** Which scene a message is for. */
export interface SceneFinder {
  /** The one that the message names. */
  named(text: string, index: number): FoundScene | undefined
  /** The one for a message that names none and begins a turn. */
  otherwise(text: string, index: number): FoundScene | undefined
}

export interface FoundScene {
  /** For messages: `scene 1`. */
  name: string
  scene: ScriptScene
  /** What `{…}` stands for in its texts, besides `{result}`, `{results}`, `{reason}` and `{message}`. */
  values?: Readonly<Record<string, string>>
}

export function followScript(script: ModelScript, request: ModelRequest): ScriptedAnswer {
  const found = (scene: ScriptScene | undefined): FoundScene | undefined =>
    scene === undefined ? undefined : { name: `scene ${script.scenes.indexOf(scene)}`, scene }
  const finder: SceneFinder = {
    named: (text) => found(script.scenes.find(({ when }) => when !== undefined && contains(text, when))),
    otherwise: () => found(script.scenes.find(({ when }) => when === undefined)),
  }
  return followScenes(finder, request)
}

export function followScenes(finder: SceneFinder, request: ModelRequest): ScriptedAnswer {
  const { messages, tools } = request
  const course = findCourse(finder, messages)
  if (course === undefined) return finished('no scene', NO_SCENE, messages)
  const { name, scene, values = {}, opening, position } = course
  const index = scene.repeat === true ? position % scene.steps.length : position
  const place = `${name}, step ${index}`
  const step = scene.steps[index]
  if (step === undefined) return finished(place, NOTHING_MORE, messages)

  const results = lastResults(messages)
  const steering = messages
    .slice(opening.index + 1)
    .flatMap(({ role, text }) => (role === 'user' ? [text] : []))
  const answer = step.oneOf === undefined ? step : chosen(step.oneOf, results, steering)
  const when = 'when' in answer ? answer.when : undefined
  const result = results.findLast((found) => fits(found, when ?? {})) ?? results.at(-1)
  const fill = (text: string) => fillIn(text, { result, results, message: opening.text, values })

  if (answer.calls !== undefined && tools.length === 0) {
    return finished(place, fill(scene.lastWord ?? answer.say ?? I_STOP), messages)
  }
  const before = messages.filter(({ role }) => role === 'assistant').length
  const calls = (answer.calls ?? []).map((call, callIndex) => ({
    id: call.id ?? `call_${before}_${callIndex}`,
    tool: call.tool,
    argumentsText: call.argumentsText ?? JSON.stringify(fillInside(call.arguments ?? {}, fill)),
  }))
  const think = fill(answer.think ?? '')
  const say = fill(answer.say ?? '')
  return {
    place,
    think,
    say,
    calls,
    finish: answer.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
    usage: usageOf(messages, think + say + calls.map((call) => call.argumentsText).join('')),
    delayMs: answer.delayMs ?? 0,
    ...defined({ fail: answer.fail }),
  }
}

const NO_SCENE = 'The script has no scene for this.'
const NOTHING_MORE = 'The script has nothing more to say.'
const I_STOP = 'I stop here.'

interface Course extends FoundScene {
  /** The message that set it. */
  opening: { index: number; text: string }
  position: number
}

function findCourse(finder: SceneFinder, messages: readonly ModelMessage[]): Course | undefined {
  let answered = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    if (message.role === 'assistant') answered++
    if (message.role !== 'user') continue
    const opening = { index, text: message.text }
    const named = finder.named(message.text, index)
    if (named !== undefined) return { ...named, opening, position: answered }
    if (!beginsTurn(messages, index)) continue
    const first = firstOfRun(finder, messages, index)
    if (first !== undefined) return { ...first, position: answered }
    const other = finder.otherwise(message.text, index)
    return other === undefined ? undefined : { ...other, opening, position: answered }
  }
  return undefined
}

/** Among the messages of people that stand right before this one, the last that names a scene. */
function firstOfRun(
  finder: SceneFinder,
  messages: readonly ModelMessage[],
  end: number,
): Omit<Course, 'position'> | undefined {
  for (let index = end - 1; index >= 0; index--) {
    const message = messages[index]!
    if (message.role !== 'user') return undefined
    const named = finder.named(message.text, index)
    if (named !== undefined) return { ...named, opening: { index, text: message.text } }
  }
  return undefined
}

function beginsTurn(messages: readonly ModelMessage[], index: number): boolean {
  const before = messages.slice(0, index).findLast(({ role }) => role !== 'user' && role !== 'system')
  return before === undefined || (before.role === 'assistant' && before.calls.length === 0)
}

type ScriptedToolMessage = Extract<ModelMessage, { role: 'tool' }>

interface ScriptedResult {
  kind: NonNullable<ScriptCondition['result']>
  tool: string
  text: string
  reason: string
}

/** What came back for the last answer's calls. */
function lastResults(messages: readonly ModelMessage[]): ScriptedResult[] {
  const asked = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages
    .slice(asked + 1)
    .filter((message): message is ScriptedToolMessage => message.role === 'tool')
    .map(({ tool, text, isError }) => {
      const reason = readRefusal(text)
      if (reason !== undefined) return { kind: 'refused', tool, text, reason }
      return { kind: isError ? 'failed' : 'ran', tool, text, reason: '' }
    })
}

function chosen(
  alternatives: readonly ScriptAnswer[],
  results: readonly ScriptedResult[],
  steering: readonly string[],
): ScriptAnswer {
  const holds = ({ said, ...about }: ScriptCondition) =>
    (said === undefined || steering.some((text) => contains(text, said))) &&
    (Object.keys(about).length === 0 || results.some((result) => fits(result, about)))
  return alternatives.find(({ when }) => when === undefined || holds(when)) ?? {}
}

function fits(result: ScriptedResult, when: ScriptCondition): boolean {
  return (
    (when.result === undefined || when.result === result.kind) &&
    (when.tool === undefined || when.tool === result.tool) &&
    (when.contains === undefined || contains(result.text, when.contains))
  )
}

function contains(text: string, wanted: string | readonly string[]): boolean {
  const inside = text.toLowerCase()
  return [wanted].flat().every((words) => inside.includes(words.toLowerCase()))
}

/** All at once, so that what was filled in is not looked at again. */
function fillIn(text: string, { result, results, message, values }: FillSource): string {
  return text.replace(/\{(\w+)\}/g, (written, name: string) => {
    switch (name) {
      case 'message':
        return message
      case 'reason':
        return result?.reason ?? ''
      case 'result':
        return result?.text ?? ''
      case 'results':
        return results.map((each) => (each.kind === 'refused' ? each.reason : each.text)).join('\n')
      default:
        return Object.hasOwn(values, name) ? values[name]! : written
    }
  })
}

interface FillSource {
  result: ScriptedResult | undefined
  results: readonly ScriptedResult[]
  message: string
  values: Readonly<Record<string, string>>
}

function fillInside(value: JsonValue, fill: (text: string) => string): JsonValue {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((member) => fillInside(member, fill))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillInside(member, fill)]))
}

function finished(place: string, say: string, messages: readonly ModelMessage[]): ScriptedAnswer {
  return { place, think: '', say, calls: [], finish: 'stop', usage: usageOf(messages, say), delayMs: 0 }
}

/** Four characters a token is near enough: it only has to be the same every time. */
function usageOf(messages: readonly ModelMessage[], output: string): Usage {
  const input = messages.reduce((length, { text }) => length + text.length, 0)
  return { inputTokens: Math.ceil(input / 4), outputTokens: Math.ceil(output.length / 4) }
}

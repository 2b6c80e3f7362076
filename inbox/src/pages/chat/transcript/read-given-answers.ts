/**
 * What a person answered to questions of the agent's, for people: the agent is told it as JSON. Undefined for whatever does
 * not have that form, which is then shown as it is.
 */

import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { parseJson } from '../../../../../src/core/json/parse-json.ts'

export const ASKS_QUESTIONS = 'ask_user_question'

export interface GivenAnswer {
  question: string
  answer: string
}

export function readGivenAnswers(text: string, asked: JsonObject | undefined): GivenAnswer[] | undefined {
  const answers = parse(text)
  if (!isObject(answers)) return undefined
  const given: GivenAnswer[] = []
  for (const [id, value] of Object.entries(answers)) {
    if (!isObject(value)) return undefined
    const { choices = [], text: own } = value
    if (!Array.isArray(choices)) return undefined
    const words = [...choices, own].filter((each) => typeof each === 'string' && each !== '')
    given.push({ question: questionFor(id, asked), answer: words.join(', ') })
  }
  return given
}

function questionFor(id: string, asked: JsonObject | undefined): string {
  const questions = Array.isArray(asked?.questions) ? asked.questions : []
  const found = questions.find((each) => isObject(each) && each.id === id)
  return isObject(found) && typeof found.question === 'string' ? found.question : id
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * AskUserQuestion as a question to a person. Claude's questions have no ids and always take a text of one's own. Answers go back
 * by the question's own words, as the tool wants them.
 */
import type { Answers } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { membersOf, textOf } from './sdk-shapes.ts'

export const CLAUDE_QUESTION_TOOL = 'AskUserQuestion'

/** The call as the guard is asked about it: a question by its own name, every other as it is. */
export function guardedCall(tool: string, input: JsonObject): { tool: string; arguments: JsonObject } {
  if (tool !== CLAUDE_QUESTION_TOOL) return { tool, arguments: input }
  return { tool: 'ask_user_question', arguments: questionsOf(input) }
}

/** What the gateway knows as questions. What is wrong with them, it refuses. */
function questionsOf(input: JsonObject): JsonObject {
  const questions = Array.isArray(input.questions) ? input.questions : []
  return {
    questions: questions.map((one, index) => {
      const { question, header, multiSelect, options } = membersOf(one)
      return {
        id: idOf(index),
        question: (question ?? null) as JsonValue,
        freeText: true,
        ...defined({
          header: textOf(header),
          multiSelect: multiSelect === true ? true : undefined,
          options: Array.isArray(options) ? options.map(optionOf) : undefined,
        }),
      }
    }),
  }
}

/** The input of the tool with the answers in it: so it asks nobody. */
export function answeredInput(input: JsonObject, answers: Answers): Record<string, unknown> {
  const questions = Array.isArray(input.questions) ? input.questions : []
  const given = questions.flatMap((one, index) => {
    const question = textOf(membersOf(one).question)
    const answer = Object.hasOwn(answers, idOf(index)) ? answers[idOf(index)] : undefined
    if (question === undefined || answer === undefined) return []
    const { choices = [], text } = answer
    return [[question, [...choices, ...(text === undefined ? [] : [text])].join(', ')]]
  })
  return { ...input, answers: Object.fromEntries(given) }
}

const idOf = (index: number) => `q${index + 1}`

function optionOf(option: unknown): JsonObject {
  const { label, description } = membersOf(option)
  return { label: (label ?? null) as JsonValue, ...defined({ description: textOf(description) }) }
}

/**
 * The model of the demonstration, which needs no key and no network. It is a script that listens: it takes the place, the person, the sum
 * or the file from what was said, and says so where it doesn't understand. It goes by the messages alone, so a restart changes nothing.
 */
import type { Model, ModelMessage, ModelRequest } from '../models/model.ts'
import { type FoundScene, followScenes, type ScriptedAnswer } from '../models/scripted/follow-script.ts'
import { createFollowingModel, type ScriptedModelOptions } from '../models/scripted/scripted-model.ts'
import { sceneFor } from './demonstration-scenes.ts'
import { DEMONSTRATION_WORDS } from './demonstration-words.ts'
import { readWish, type Wish } from './read-wish.ts'

export function createDemonstrationModel(options: ScriptedModelOptions = {}): Model {
  return createFollowingModel('demonstration', followDemonstration, options)
}

export function followDemonstration(request: ModelRequest): ScriptedAnswer {
  const { messages } = request
  const sceneAt = (
    text: string,
    index: number,
    isWanted: (wish: Wish) => boolean,
  ): FoundScene | undefined => {
    const wish = readWish(text, wishBefore(messages, index))
    return isWanted(wish) ? sceneFor(wish, text, DEMONSTRATION_WORDS[languageOf(text)]) : undefined
  }
  return followScenes(
    {
      named: (text, index) => sceneAt(text, index, ({ kind }) => kind !== 'unknown' && kind !== 'incomplete'),
      otherwise: (text, index) => sceneAt(text, index, () => true),
    },
    request,
  )
}

/** The last thing that was wanted and understood, without what led to it. */
function wishBefore(messages: readonly ModelMessage[], index: number): Wish | undefined {
  const before = messages.slice(0, index).findLast(({ role }) => role === 'user')
  if (before === undefined) return undefined
  const wish = readWish(before.text)
  // "What is the weather?", "Which city?", "Oslo".
  return wish.kind === 'incomplete' && wish.of === 'weather' ? { kind: 'weather', places: [] } : wish
}

function languageOf(text: string): 'en' | 'zh' {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}

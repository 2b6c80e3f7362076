/**
 * A person's answer to what they were asked. It is always answered with 200 and says in `success` whether it was recorded,
 * as the original does; unlike there, `success` is true only when it was. Who answers is the credential's (P6), what they
 * saw is in the id that they name (P3), and of any number of answers one counts (P2).
 */

import type { DecisionInput } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { type ErrorCode, isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { type Request, shownDigest } from '../../core/request.ts'
import { sayError } from '../../display/reasons/say-error.ts'
import { sayDeciders } from '../../display/words/deciders.ts'
import { sayDecided } from '../../display/words/decisions.ts'
import type { CallerRequest, DoorAnswer, DoorCaller } from '../door.ts'
import type { ChannelPorts } from '../driver.ts'
import { isInConversation } from './conversation-requests.ts'
import type { OpenStreams } from './open-streams.ts'
import { timeText } from './protocol/frame.ts'
import { readWireId } from './protocol/interaction.ts'
import { type Choice, decisionOf } from './protocol/read-decision.ts'
import { objectField, readObject, textField } from './protocol/request-body.ts'
import { type ReactPlusWords, wordsOf } from './protocol/words.ts'
import { sessionIdOf } from './session-id.ts'

export async function respond(
  ports: ChannelPorts,
  streams: OpenStreams,
  request: CallerRequest,
): Promise<DoorAnswer> {
  const words = wordsOf(request)
  const about: { label: string | null } = { label: null }
  const answer = (success: boolean, message: string, code?: string): DoorAnswer => ({
    kind: 'json',
    status: 200,
    body: {
      success,
      message,
      sessionId: about.label,
      timestamp: timeText(ports.clock.now()),
      ...defined({ code }),
    },
  })
  try {
    const response = read(await request.text(), words, about)
    const message = await record(ports, streams, response, request.caller, words)
    return answer(true, message)
  } catch (error) {
    if (error instanceof ResponseRefused) return answer(false, error.message, error.code)
    if (!isBanksmanError(error)) {
      ports.report({ doing: 'recording an answer that came over react-plus', error })
      return answer(false, words.responses.failed(INTERNAL), 'internal')
    }
    return answer(false, words.responses.failed(sayError(error, words.locale)), error.code)
  }
}

interface ClientResponse extends Choice {
  label: string
  requestId: string
}

/** A refusal in the client's language, told as it is. */
class ResponseRefused extends Error {
  readonly code: ErrorCode

  constructor(message: string, code: ErrorCode) {
    super(message)
    this.code = code
  }
}

const INTERNAL = 'internal error'

function read(text: string, words: ReactPlusWords, about: { label: string | null }): ClientResponse {
  const body = bodyOf(text, words)
  const needed = (name: string): string => {
    const field = textField(body, name)
    if (field.kind === 'absent') throw new ResponseRefused(words.responses.missing(name), 'invalid')
    if (field.kind === 'wrong') throw new ResponseRefused(words.responses.notText(name), 'invalid')
    return field.text
  }
  const label = needed('sessionId')
  about.label = label
  const requestId = needed('requestId')
  const optionId = needed('selectedOptionId')
  const feedback = textField(body, 'feedback')
  if (feedback.kind === 'wrong') throw new ResponseRefused(words.responses.notText('feedback'), 'invalid')
  return {
    label,
    requestId,
    optionId,
    feedback: feedback.kind === 'text' ? feedback.text : '',
    data: objectField(body, 'data'),
  }
}

function bodyOf(text: string, words: ReactPlusWords): JsonObject {
  try {
    return readObject(text)
  } catch (error) {
    const { failed, notJson, notObject } = words.responses
    const code = isBanksmanError(error, 'invalid') ? 'invalid' : 'invalid_json'
    throw new ResponseRefused(failed(code === 'invalid' ? notObject : notJson), code)
  }
}

async function record(
  ports: ChannelPorts,
  streams: OpenStreams,
  response: ClientResponse,
  caller: DoorCaller,
  words: ReactPlusWords,
): Promise<string> {
  const session = sessionIdOf(caller, response.label)
  try {
    const { decided, message } = await decide(ports, streams, { ...response, session }, caller, words)
    if (!decided) streams.answered(session)
    return message
  } catch (error) {
    streams.answered(session)
    throw error
  }
}

async function decide(
  ports: ChannelPorts,
  streams: OpenStreams,
  response: ClientResponse & { session: string },
  { actor }: DoorCaller,
  words: ReactPlusWords,
): Promise<{ decided: boolean; message: string }> {
  const { session } = response
  const named = readWireId(response.requestId)
  const refused = (message: string, code: ErrorCode) =>
    new ResponseRefused(words.responses.failed(message), code)
  const unknown = () => refused(words.responses.unknownRequest, 'unknown_id')
  const request = await ports.deciding.get(named.request, actor).catch((error: unknown) => {
    throw isBanksmanError(error, 'unknown_id') ? unknown() : error
  })
  if (!(await isInConversation(ports, request, session, actor))) throw unknown()
  const meant = decisionOf(request, response, words, ports.deciding.knownTool)
  if (meant.kind === 'refused') throw refused(meant.message, 'decision_not_allowed')
  const digest = digestShown(request, named.digest)
  try {
    const input: DecisionInput = { ...meant.input, digest }
    const { request: now, decided } = await ports.deciding.decide(request.id, input, actor)
    if (!decided) return { decided, message: words.responses.voted }
    streams.look(session, request.id)
    const { terminated, resumed } = words.responses
    return { decided, message: now.state === 'terminated' ? terminated : resumed }
  } catch (error) {
    // Whoever looks at the stream is shown what is asked now.
    if (isBanksmanError(error, 'digest_mismatch')) streams.look(session, request.id)
    if (!isBanksmanError(error, 'already_decided')) throw error
    const { progress } = await ports.deciding.get(request.id, actor)
    const by = sayDeciders(progress, words.locale)
    if (progress.decision === undefined || by === undefined) throw error
    const decided = sayDecided(progress.decision.kind, words.locale, request.kind)
    throw refused(words.responses.decidedBy(by, decided), 'already_decided')
  }
}

/** The digest that goes with the id. One that fits nothing is refused as what it is: something else was shown. */
function digestShown(request: Request, beginning: string | undefined): string {
  if (beginning === undefined) return request.digest
  const now = shownDigest(request)
  return now.startsWith(beginning) ? now : beginning
}

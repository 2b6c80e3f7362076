/** What becomes of a call that did not run: a text for the model, or the end of the run. */
import { defined } from '../core/defined.ts'
import type { Answered, Refused } from '../guard/contract.ts'
import { refusalText } from '../guard/model-texts.ts'

/** Its message is for the model. Frameworks make a tool error of it. */
export class CallRefused extends Error {
  /** `invalid`: the arguments don't fit, and nobody was asked. */
  readonly refused: Omit<Partial<Refused>, 'state'> &
    Pick<Refused, 'because' | 'mayRetry'> & { state: Refused['state'] | 'invalid' }

  constructor(tool: string, refused: CallRefused['refused']) {
    super(refusalText(tool, refused))
    this.name = 'CallRefused'
    this.refused = refused
  }

  /** The message alone: some frameworks tell the model this, and the name would stand in front of the JSON. */
  override toString(): string {
    return this.message
  }
}

/** A person has ended the session. The run must end too. */
export class SessionTerminated extends CallRefused {
  constructor(tool: string, refused: CallRefused['refused']) {
    super(tool, refused)
    this.name = 'SessionTerminated'
  }
}

export function refusalError(tool: string, refused: Refused): CallRefused {
  const isEnd = refused.state === 'terminated' || refused.code === 'session_ended'
  return isEnd ? new SessionTerminated(tool, refused) : new CallRefused(tool, refused)
}

/** By its name: a program may have two copies of this package. */
export function isTerminated(error: unknown): boolean {
  return error instanceof Error && error.name === 'SessionTerminated'
}

/** Nobody has decided, and the adapter doesn't wait: the framework said yes where no person did (P5). */
export function undecidedError(tool: string, { requestId }: { requestId?: string | undefined }): CallRefused {
  const because = 'nobody has decided yet, so it did not run'
  return new CallRefused(tool, { state: 'pending', because, mayRetry: true, ...defined({ requestId }) })
}

/** A person's words in place of the result. */
export function answerText({ text, answers }: Answered): string {
  return text ?? JSON.stringify(answers ?? {})
}

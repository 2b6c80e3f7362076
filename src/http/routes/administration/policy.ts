/**
 * The policy: which one is in force, what it says of a call, what another would have said, and putting a changed file into force.
 * An agent must not use these to look for gaps, and only an administrator changes the policy in force (P11).
 */

import { defined } from '../../../core/defined.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import { renderCall } from '../../../display/render.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { Policy } from '../../../gateway/gateway-parts.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as explanationWire from '../../../wire/explanation.ts'
import { applyBody, explainBody, policyAnswer, replayBody } from '../../../wire/policy.ts'
import type { WireReplay } from '../../../wire/types/explanation.ts'
import type { WirePolicy } from '../../../wire/types/policy.ts'
import { becauseToWire } from '../../to-wire/reason-to-wire.ts'
import type { Viewer } from '../../to-wire/request-to-wire.ts'
import { translateExplanation } from '../../to-wire/translate-explanation.ts'
import { json, type Route, route } from '../route.ts'

/** The policy in force, to be read and changed. */
export interface PolicyAdministration {
  /** Secrets in it are masked. */
  current(reader: Viewer): Promise<WirePolicy>
  /** Puts the text of the file into force, if it has this digest. Refuses anybody but an administrator. */
  apply(digest: string, reader: Viewer): Promise<WirePolicy>
}

export interface PolicyRouteParts {
  /** Compiles a block that is not in force, or the text of a whole configuration file, to be tried out. */
  candidatePolicy?: (input: { policy: JsonObject; tools?: JsonObject } | { text: string }) => Promise<Policy>
  /** The policy in force, for people to see and for an administrator to change. */
  policy?: PolicyAdministration
}

export function policyRoutes({
  gateway,
  candidatePolicy,
  policy: administration,
}: PolicyRouteParts & { gateway: Gateway }): Route[] {
  const candidateOf: NonNullable<PolicyRouteParts['candidatePolicy']> = async (input) => {
    if (candidatePolicy === undefined) {
      throw reasonedError('unknown_route', reasonOf('policy.no-trial'))
    }
    return candidatePolicy(input)
  }
  return [
    ...(administration === undefined ? [] : administrationRoutes(administration)),
    route('POST /v1/policy/explain', {
      summary: 'What the policy says of a call, and all that led to it. With text: what another would say.',
      access: 'people',
      body: explainBody,
      bodyCode: 'invalid_call',
      answers: [json('The verdict and its reasons.', explanationWire.explanation)],
      async answer({ caller, body }) {
        const { mode, text, ...parts } = body
        const call = { callId: 'explain', session: 'explain', ...parts }
        const explanation = await gateway.explain(call, caller.actor, {
          ...defined({ mode }),
          ...(text === undefined ? {} : { policy: await candidateOf({ text }) }),
        })
        return translateExplanation(explanation, caller.locale)
      },
    }),
    route('POST /v1/policy/replay', {
      summary: 'What another policy would have said of the calls on record. Nothing is changed.',
      access: 'people',
      body: replayBody,
      answers: [json('What would have changed.', explanationWire.replay)],
      async answer({ caller, body }) {
        const { policy = {}, tools, text, ...query } = body
        const block = { policy, ...defined({ tools }) }
        const candidate = await candidateOf(text === undefined ? block : { text })
        return replayToWire(gateway, await gateway.replay(candidate, query, caller.actor), caller.locale)
      },
    }),
  ]
}

function administrationRoutes(administration: PolicyAdministration): Route[] {
  return [
    route('GET /v1/policy', {
      summary: 'The policy that holds, with its warnings, and the text in the file where that is another.',
      access: 'people',
      answers: [json('The policy.', policyAnswer)],
      answer: ({ caller }) => administration.current(caller),
    }),
    route('POST /v1/policy/apply', {
      summary:
        'Have the changed text of the configuration file hold from now on: exactly the one with this digest.',
      access: 'admin',
      body: applyBody,
      answers: [json('The policy that holds now.', policyAnswer)],
      answer: ({ caller, body }) => administration.apply(body.digest, caller),
    }),
  ]
}

function replayToWire(
  gateway: Gateway,
  replay: Awaited<ReturnType<Gateway['replay']>>,
  locale: Locale,
): WireReplay {
  const { isCut, groups, ...counts } = replay
  return {
    ...counts,
    ...(isCut ? { cut: true } : {}),
    groups: groups.map(({ rule, examples, ...group }) => ({
      ...group,
      ...becauseToWire(group, locale),
      ...defined({ rule }),
      examples: examples.map(
        (content) => renderCall(content, { locale, known: gateway.knownTool(content) }).summary,
      ),
    })),
  }
}

/**
 * `view`: all that a person needs in order to decide one request, gathered now. Nothing is changed by looking, and what
 * can't be gathered is left out rather than made up.
 */

import { eligiblePeople } from '../../core/authority.ts'
import type { CallContent } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { GrantMatch } from '../../core/grants/grant.ts'
import { currentTerms, type Request, shownContent, shownDigest } from '../../core/request.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { Facts } from '../../core/verdict.ts'
import type { Explanation } from '../../policy/policy.ts'
import type { JudgedCall } from '../gateway-parts.ts'
import { factsDigest, judgedCallOf, sourceOf } from '../judging/judged-call.ts'
import { pastCallPages } from '../record/past-call-pages.ts'
import { createYieldBetweenCalls } from '../record/yield-between-calls.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import type { ReadVerbs } from '../requests/read-requests.ts'
import { evaluationContextFor } from '../sessions/session-steering.ts'
import { type CallBefore, gatherCallsBefore } from './calls-before.ts'
import { withChangedFile } from './changed-file.ts'
import { type EarlierDecision, gatherEarlierDecisions } from './earlier-decisions.ts'

export interface RequestView {
  request: Request
  /** What is shown: the agent's call, or the edit that replaced it. Absent once it was erased. */
  content?: CallContent
  /** While it is pending. With the text of the file that it changes, for who may decide. */
  facts?: Facts
  /** What the policy says of it now. While it is pending, and not of a question, which is asked in any case. */
  judgement?: ViewJudgement
  earlier: EarlierDecision[]
  before: CallBefore[]
  /** By rule. */
  eligible: Record<string, string[]>
}

export interface ViewJudgement {
  explanation: Explanation
  policyChanged: boolean
  factsChanged: boolean
}

/** People only. */
export type ViewVerb = (id: string, actor: Actor) => Promise<RequestView>

/** A person waits for it. */
const LOOK_BACK = { calls: 1000, characters: 32_000_000 }

export function createView(
  hall: GatewayContext,
  { get, mayDecide }: Pick<ReadVerbs, 'get' | 'mayDecide'>,
): ViewVerb {
  return async (id, actor) => {
    const request = await get(id, actor)
    if (actor.role === 'agent')
      throw new BanksmanError('forbidden', "an agent's credential can't see what a person decides by")
    const session = await hall.store.sessions.get(request.session)
    const content = shownContent(request)
    const looked = content === undefined ? undefined : await lookAt(hall, request, content, session)
    const past = await lookBack(hall, request, content, looked?.alike)
    const isDenied = looked?.judgement?.explanation.verdict.kind === 'deny'
    const mayRead = looked?.facts !== undefined && !isDenied && (await mayDecide(request, actor))
    const facts = mayRead && content ? await withChangedFile(hall, content, looked.facts) : looked?.facts
    return {
      request,
      ...defined({ content, facts }),
      ...(looked?.judgement === undefined ? {} : { judgement: looked.judgement }),
      ...past,
      eligible: eligibleFor(hall, request, session),
    }
  }
}

interface ViewFindings {
  facts: Facts | undefined
  judgement?: ViewJudgement
  /** What calls of the same kind have in common. */
  alike: GrantMatch | undefined
}

async function lookAt(
  hall: GatewayContext,
  request: Request,
  content: CallContent,
  session: Session | undefined,
): Promise<ViewFindings> {
  const call = judgedCallOf(request, content)
  const isPending = request.state === 'pending'
  const facts = isPending ? await factsOf(hall, request, call) : undefined
  const policy = hall.policy()
  const member = session ?? { id: request.session }
  const context = await evaluationContextFor(hall, member, session?.mode, policy.steering(call, facts))
  // Each of the three is as much as may be done at once.
  await hall.giveWay()
  const suggested = policy.suggest(call, shownDigest(request), facts, context)
  const alike = (['shape', 'argument'] as const)
    .map((width) => suggested.find((suggestion) => suggestion.width === width))
    .find((suggestion) => suggestion !== undefined)?.match
  if (!isPending || request.kind === 'question') return { facts, alike }
  await hall.giveWay()
  const { edit } = request.progress
  const judgedOn = edit === undefined ? request.factsDigest : edit.factsDigest
  const judgement = {
    explanation: policy.explain(call, facts, context),
    policyChanged: policy.version !== request.policyVersion,
    factsChanged: facts !== undefined && judgedOn !== undefined && factsDigest(facts) !== judgedOn,
  }
  return { facts, judgement, alike }
}

async function factsOf(hall: GatewayContext, request: Request, call: JudgedCall): Promise<Facts | undefined> {
  try {
    return await hall.gatherFacts?.(call, sourceOf(request))
  } catch (error) {
    hall.report({ doing: `looking up what request ${request.id} is about`, error })
    return undefined
  }
}

async function lookBack(
  hall: GatewayContext,
  request: Request,
  content: CallContent | undefined,
  alike: GrantMatch | undefined,
): Promise<Pick<RequestView, 'earlier' | 'before'>> {
  const earlier = gatherEarlierDecisions(hall, request, { content, alike })
  const before = gatherCallsBefore(hall, request)
  const pause = createYieldBetweenCalls(hall)
  for await (const { calls } of pastCallPages(hall, LOOK_BACK)) {
    for (const call of calls) {
      await pause(call.bytes.length)
      before.see(call)
      await earlier.see(call)
    }
  }
  return { earlier: await earlier.list(), before: await before.list() }
}

function eligibleFor(
  hall: GatewayContext,
  request: Request,
  session: Session | undefined,
): Record<string, string[]> {
  const directory = hall.directory()
  return Object.fromEntries(
    currentTerms(request).conditions.map((condition) => [
      condition.rule,
      eligiblePeople(condition, directory, session),
    ]),
  )
}

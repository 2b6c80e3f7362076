/**
 * `view`: all that a person needs in order to decide one request, gathered now. Nothing is changed by looking, and what
 * can't be gathered is left out rather than made up.
 */

import { type Directory, eligiblePeople } from '../../core/authority.ts'
import type { CallContent } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { GrantMatch } from '../../core/grants/grant.ts'
import { currentTerms, type Request, shownContent, shownDigest } from '../../core/request.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { Facts } from '../../core/verdict.ts'
import type { Explanation } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import type { GatewayParts, JudgedCall } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import type { Judge } from '../judging/judge.ts'
import { factsDigest, judgedCallOf, sourceOf } from '../judging/judged-call.ts'
import { pastCallPages } from '../record/past-call-pages.ts'
import { createYieldBetweenCalls } from '../record/yield-between-calls.ts'
import type { Authority } from '../requests/authority.ts'
import type { ReadVerbs } from '../requests/read-requests.ts'
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

export interface ViewPorts {
  readText: GatewayParts['readText']
  reads: Pick<ReadVerbs, 'get' | 'mayDecide'>
  authority: Pick<Authority, 'directory'>
  judge: Pick<Judge, 'policy' | 'gatherFacts' | 'steering' | 'modes'>
  store: Pick<Store, 'calls' | 'get' | 'sessions'>
  host: Pick<Host, 'giveWay' | 'report'>
}

export function createView(ports: ViewPorts): ViewVerb {
  const { reads, authority, store, readText } = ports
  return async (id, actor) => {
    const request = await reads.get(id, actor)
    if (actor.role === 'agent')
      throw new BanksmanError('forbidden', "an agent's credential can't see what a person decides by")
    const session = await store.sessions.get(request.session)
    const content = shownContent(request)
    const looked = content === undefined ? undefined : await lookAt(ports, request, content, session)
    const past = await lookBack(ports, request, content, looked?.alike)
    const isDenied = looked?.judgement?.explanation.verdict.kind === 'deny'
    const mayRead = looked?.facts !== undefined && !isDenied && (await reads.mayDecide(request, actor))
    const facts = mayRead && content ? await withChangedFile(readText, content, looked.facts) : looked?.facts
    return {
      request,
      ...defined({ content, facts }),
      ...(looked?.judgement === undefined ? {} : { judgement: looked.judgement }),
      ...past,
      eligible: eligibleFor(authority.directory(), request, session),
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
  ports: ViewPorts,
  request: Request,
  content: CallContent,
  session: Session | undefined,
): Promise<ViewFindings> {
  const call = judgedCallOf(request, content)
  const isPending = request.state === 'pending'
  const facts = isPending ? await factsOf(ports, request, call) : undefined
  const policy = ports.judge.policy()
  const member = session ?? { id: request.session }
  const mode = ports.judge.modes.inForce(session)
  const context = await ports.judge.steering.contextFor(member, mode, policy.steering(call, facts))
  // Each of the three is as much as may be done at once.
  await ports.host.giveWay()
  const suggested = policy.suggest(call, shownDigest(request), facts, context)
  const alike = (['shape', 'argument'] as const)
    .map((width) => suggested.find((suggestion) => suggestion.width === width))
    .find((suggestion) => suggestion !== undefined)?.match
  if (!isPending || request.kind === 'question') return { facts, alike }
  await ports.host.giveWay()
  const { edit } = request.progress
  const judgedOn = edit === undefined ? request.factsDigest : edit.factsDigest
  const judgement = {
    explanation: policy.explain(call, facts, context),
    policyChanged: policy.version !== request.policyVersion,
    factsChanged: facts !== undefined && judgedOn !== undefined && factsDigest(facts) !== judgedOn,
  }
  return { facts, judgement, alike }
}

async function factsOf(ports: ViewPorts, request: Request, call: JudgedCall): Promise<Facts | undefined> {
  try {
    return await ports.judge.gatherFacts?.(call, sourceOf(request))
  } catch (error) {
    ports.host.report({ doing: `looking up what request ${request.id} is about`, error })
    return undefined
  }
}

async function lookBack(
  ports: ViewPorts,
  request: Request,
  content: CallContent | undefined,
  alike: GrantMatch | undefined,
): Promise<Pick<RequestView, 'earlier' | 'before'>> {
  const earlier = gatherEarlierDecisions(ports, request, { content, alike })
  const before = gatherCallsBefore(ports.store, request)
  const pause = createYieldBetweenCalls(ports.host)
  for await (const { calls } of pastCallPages(ports.store, LOOK_BACK)) {
    for (const call of calls) {
      await pause(call.bytes.length)
      before.see(call)
      await earlier.see(call)
    }
  }
  return { earlier: await earlier.list(), before: await before.list() }
}

function eligibleFor(
  directory: Directory,
  request: Request,
  session: Session | undefined,
): Record<string, string[]> {
  return Object.fromEntries(
    currentTerms(request).conditions.map((condition) => [
      condition.rule,
      eligiblePeople(condition, directory, session),
    ]),
  )
}

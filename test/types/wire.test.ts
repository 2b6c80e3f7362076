/**
 * What crosses a process line has one source. Here the generated types are compared with their files, and the compiler
 * compares what it reads in a schema with the type that the generator wrote, and both with the nouns of core and the guard.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { generateWire } from '../../scripts/generate-wire.ts'
import type * as callNouns from '../../src/core/call.ts'
import type * as talk from '../../src/core/conversation.ts'
import type { Answers } from '../../src/core/decision.ts'
import type { JsonObject } from '../../src/core/json/json.ts'
import type * as background from '../../src/core/progress.ts'
import type { Question } from '../../src/core/question.ts'
import type * as drawn from '../../src/core/rendering.ts'
import type { QuietHours } from '../../src/core/time/quiet-hours.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import type * as guard from '../../src/guard/contract.ts'
import type * as answers from '../../src/wire/answers.ts'
import type * as call from '../../src/wire/call.ts'
import type * as chat from '../../src/wire/chat.ts'
import type * as conversation from '../../src/wire/conversation.ts'
import type * as demonstration from '../../src/wire/demonstration.ts'
import type * as explanation from '../../src/wire/explanation.ts'
import type * as grant from '../../src/wire/grant.ts'
import type * as history from '../../src/wire/history.ts'
import type * as hold from '../../src/wire/hold.ts'
import type * as identity from '../../src/wire/identity.ts'
import type * as interrupt from '../../src/wire/interrupt.ts'
import type * as journal from '../../src/wire/journal.ts'
import type * as mcp from '../../src/wire/mcp.ts'
import type * as node from '../../src/wire/node.ts'
import type * as policy from '../../src/wire/policy.ts'
import type * as progress from '../../src/wire/progress.ts'
import type * as push from '../../src/wire/push.ts'
import type * as rendering from '../../src/wire/rendering.ts'
import type * as request from '../../src/wire/request.ts'
import type * as session from '../../src/wire/session.ts'
import type * as answersTypes from '../../src/wire/types/answers.ts'
import type * as callTypes from '../../src/wire/types/call.ts'
import type * as chatTypes from '../../src/wire/types/chat.ts'
import type * as conversationTypes from '../../src/wire/types/conversation.ts'
import type * as demonstrationTypes from '../../src/wire/types/demonstration.ts'
import type * as explanationTypes from '../../src/wire/types/explanation.ts'
import type * as grantTypes from '../../src/wire/types/grant.ts'
import type * as historyTypes from '../../src/wire/types/history.ts'
import type * as holdTypes from '../../src/wire/types/hold.ts'
import type * as identityTypes from '../../src/wire/types/identity.ts'
import type * as interruptTypes from '../../src/wire/types/interrupt.ts'
import type * as journalTypes from '../../src/wire/types/journal.ts'
import type * as mcpTypes from '../../src/wire/types/mcp.ts'
import type * as nodeTypes from '../../src/wire/types/node.ts'
import type * as policyTypes from '../../src/wire/types/policy.ts'
import type * as progressTypes from '../../src/wire/types/progress.ts'
import type * as pushTypes from '../../src/wire/types/push.ts'
import type * as requestTypes from '../../src/wire/types/request.ts'
import type * as sessionTypes from '../../src/wire/types/session.ts'
import type * as valuesTypes from '../../src/wire/types/values.ts'
import type * as viewTypes from '../../src/wire/types/view.ts'
import type * as values from '../../src/wire/values.ts'
import type * as view from '../../src/wire/view.ts'

const TYPES = join(import.meta.dirname, '../../src/wire/types')

describe('wire/types', () => {
  it('is what the schemas say; after a change run `npm run generate:wire`', async () => {
    const files = await generateWire()
    expect(readdirSync(TYPES).sort()).toEqual([...Object.keys(files), 'page.ts'].sort())
    for (const [file, text] of Object.entries(files))
      expect(readFileSync(join(TYPES, file), 'utf8')).toBe(text)
  })

  it('imports types of core and no library, so that a browser loads none', () => {
    for (const file of readdirSync(TYPES)) {
      const imports = readFileSync(join(TYPES, file), 'utf8').match(/^.* from '.*'$/gm) ?? []
      for (const line of imports)
        expect(line).toMatch(/^(?:import type \{.*)?\} from '\.(?:\.\/\.\.\/core)?\/[\w/-]+\.ts'$/)
    }
  })

  it('is compared with every schema that has a name, below', async () => {
    const compared = readFileSync(import.meta.filename, 'utf8')
    const declared = Object.values(await generateWire())
      .join('\n')
      .matchAll(/^export (?:interface|type) (\w+)/gm)
    const names = [...declared].map(([, name]) => name!).filter((name) => name !== 'HistoryQuery')
    expect(names.length).toBeGreaterThan(80)
    for (const name of names) expect(compared).toContain(`Types.${name}>()`)
  })
})

/** Members that may be absent may be undefined, too: core's nouns differ in that from what JSON can carry. */
type Loose<T> = T extends readonly (infer E)[]
  ? Loose<E>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [K in keyof T]: Loose<T[K]> | undefined }
    : T

type Same<A, B> = [Loose<A>] extends [Loose<B>]
  ? [Loose<B>] extends [Loose<A>]
    ? []
    : ['B has more']
  : ['A has more']

/** Compiles only if what the schema lets through is the type, and the other way round. */
function same<S extends z.ZodType, T>(..._: Same<z.output<S>, T>): void {}

/** The same of two types. */
function alike<A, B>(..._: Same<A, B>): void {}

describe('the types', () => {
  it('are what the compiler reads in the schemas', () => {
    same<typeof answers.decided, answersTypes.WireDecided>()
    same<typeof answers.cancelled, answersTypes.WireCancelled>()
    same<typeof answers.revealed, answersTypes.WireRevealed>()
    same<typeof answers.entry, answersTypes.WireEntry>()
    same<typeof answers.event, answersTypes.WireEvent>()
    same<typeof answers.problem, answersTypes.WireProblem>()
    same<typeof answers.socketResult, answersTypes.WireSocketResult>()
    same<typeof answers.carrierFrame, answersTypes.WireCarrierFrame>()
    same<typeof call.verdict, callTypes.WireVerdict>()
    same<typeof call.review, callTypes.WireReview>()
    same<typeof call.call, callTypes.WireCall>()
    same<typeof call.claim, callTypes.WireClaim>()
    same<typeof call.claimBody, callTypes.ClaimInput>()
    same<typeof call.renewal, callTypes.WireRenewal>()
    same<typeof call.settleBody, callTypes.OutcomeInput>()
    same<typeof call.cancelBody, callTypes.CancelInput>()
    same<typeof conversation.said, conversationTypes.WireSaid>()
    same<typeof conversation.shownCall, conversationTypes.ShownCall>()
    same<typeof conversation.turnEventBody, conversationTypes.WireTurnEventBody>()
    same<typeof conversation.turnEvent, conversationTypes.WireTurnEvent>()
    same<typeof conversation.loggedCall, conversationTypes.WireLoggedCall>()
    same<typeof conversation.turnEntry, conversationTypes.WireTurnEntry>()
    same<typeof explanation.doubt, explanationTypes.WireDoubt>()
    same<typeof explanation.explainedRule, explanationTypes.WireExplainedRule>()
    same<typeof explanation.explainedCommand, explanationTypes.WireExplainedCommand>()
    same<typeof explanation.explanation, explanationTypes.WireExplanation>()
    same<typeof explanation.replayGroup, explanationTypes.WireReplayGroup>()
    same<typeof explanation.replay, explanationTypes.WireReplay>()
    same<typeof grant.grant, grantTypes.WireGrant>()
    same<typeof grant.matched, grantTypes.WireMatched>()
    same<typeof grant.suggestion, grantTypes.WireSuggestion>()
    same<typeof grant.suggestions, grantTypes.WireSuggestions>()
    same<typeof history.historyItem, historyTypes.WireHistoryItem>()
    same<typeof history.history, historyTypes.WireHistory>()
    same<typeof history.ruleFigures, historyTypes.WireRuleFigures>()
    same<typeof history.oversight, historyTypes.WireOversight>()
    same<typeof hold.can, holdTypes.WireCan>()
    same<typeof hold.heldOutcomeBody, holdTypes.WireHeldOutcome>()
    same<typeof hold.asked, holdTypes.WireAsked>()
    same<typeof hold.held, holdTypes.WireHeld>()
    same<typeof hold.replayed, holdTypes.WireReplayed>()
    same<typeof hold.refused, holdTypes.WireRefused>()
    same<typeof hold.answered, holdTypes.WireAnswered>()
    same<typeof hold.pending, holdTypes.WirePending>()
    same<typeof hold.hold, holdTypes.WireHold>()
    same<typeof hold.judgement, holdTypes.WireJudgeResult>()
    same<typeof identity.identity, identityTypes.WireIdentity>()
    same<typeof identity.login, identityTypes.WireLogin>()
    same<typeof identity.loginCode, identityTypes.WireLoginCode>()
    same<typeof identity.loginCodeBody, identityTypes.LoginCodeInput>()
    same<typeof identity.token, identityTypes.WireToken>()
    same<typeof identity.tokenBody, identityTypes.TokenInput>()
    same<typeof identity.credential, identityTypes.WireCredential>()
    same<typeof interrupt.actionRequest, interruptTypes.WireActionRequest>()
    same<typeof interrupt.reviewConfig, interruptTypes.WireReviewConfig>()
    same<typeof interrupt.toolApproval, interruptTypes.WireToolApproval>()
    same<typeof interrupt.question, interruptTypes.WireInterruptQuestion>()
    same<typeof interrupt.askUserQuestion, interruptTypes.WireAskUserQuestion>()
    same<typeof interrupt.payload, interruptTypes.WireInterruptPayload>()
    same<typeof interrupt.interrupt, interruptTypes.WireInterrupt>()
    same<typeof interrupt.answerInput, interruptTypes.WireAnswerInput>()
    same<typeof interrupt.resumeDecision, interruptTypes.WireResumeDecision>()
    same<typeof interrupt.resumeBody, interruptTypes.WireResumeInput>()
    same<typeof interrupt.resumedDecision, interruptTypes.WireResumedDecision>()
    same<typeof interrupt.resumed, interruptTypes.WireResumed>()
    same<typeof journal.chain, journalTypes.WireChain>()
    same<typeof journal.journalEntry, journalTypes.WireJournalEntry>()
    same<typeof journal.journalReport, journalTypes.WireJournalReport>()
    same<typeof mcp.mcpOutcomes, mcpTypes.WireMcpOutcomes>()
    same<typeof mcp.mcpTools, mcpTypes.WireMcpTools>()
    same<typeof mcp.mcpGap, mcpTypes.WireMcpGap>()
    same<typeof mcp.mcpServers, mcpTypes.WireMcpServers>()
    same<typeof mcp.mcpState, mcpTypes.WireMcpState>()
    same<typeof mcp.mcpStateUsed, mcpTypes.WireMcpStateUsed>()
    same<typeof node.node, nodeTypes.WireNode>()
    same<typeof demonstration.demonstration, demonstrationTypes.WireDemonstration>()
    same<typeof policy.explainBody, policyTypes.ExplainInput>()
    same<typeof policy.replayBody, policyTypes.ReplayInput>()
    same<typeof policy.warning, policyTypes.WirePolicyWarning>()
    same<typeof policy.failedTest, policyTypes.WireFailedTest>()
    same<typeof policy.policyAnswer, policyTypes.WirePolicy>()
    same<typeof progress.turnProgress, progressTypes.WireTurnProgress>()
    same<typeof progress.progress, progressTypes.WireProgress>()
    same<typeof chat.accountBody, chatTypes.ChatAccountInput>()
    same<typeof chat.chatAccount, chatTypes.WireChatAccount>()
    same<typeof chat.chat, chatTypes.WireChat>()
    same<typeof chat.newLink, chatTypes.WireNewLink>()
    same<typeof chat.link, chatTypes.WireLink>()
    same<typeof chat.chatTest, chatTypes.WireChatTest>()
    same<typeof chat.quietHoursState, chatTypes.WireQuietHours>()
    same<typeof push.subscriptionBody, pushTypes.PushSubscriptionInput>()
    same<typeof push.push, pushTypes.WirePush>()
    same<typeof request.decision, requestTypes.WireDecision>()
    same<typeof request.vote, requestTypes.WireVote>()
    same<typeof request.decisionBody, requestTypes.WireDecisionInput>()
    same<typeof request.mask, requestTypes.WireMask>()
    same<typeof request.covered, requestTypes.WireCovered>()
    same<typeof request.rendering, requestTypes.WireRendering>()
    same<typeof request.request, requestTypes.WireRequest>()
    same<typeof session.session, sessionTypes.WireSession>()
    same<typeof session.sessionRow, sessionTypes.WireSessionRow>()
    same<typeof session.stopped, sessionTypes.WireStopped>()
    same<typeof session.stopBody, sessionTypes.StopInput>()
    same<typeof session.coding, sessionTypes.WireCoding>()
    same<typeof session.startSessionBody, sessionTypes.StartSessionInput>()
    same<typeof session.startedSession, sessionTypes.WireStartedSession>()
    same<typeof session.heard, sessionTypes.WireHeard>()
    same<typeof session.sessionOffers, sessionTypes.WireSessionOffers>()
    same<typeof values.grantTerms, valuesTypes.WireGrantTerms>()
    same<typeof view.previewBody, viewTypes.PreviewInput>()
    same<typeof view.line, viewTypes.WireCommandLine>()
    same<typeof view.judgement, viewTypes.WireJudgement>()
    same<typeof view.earlier, viewTypes.WireEarlier>()
    same<typeof view.before, viewTypes.WireBefore>()
    same<typeof view.view, viewTypes.WireView>()
    same<typeof view.preview, viewTypes.WirePreview>()
  })

  it('have the nouns of core as core declares them', () => {
    same<typeof values.answers, Answers>()
    same<typeof values.agentLineage, callNouns.AgentLineage>()
    same<typeof values.origin, callNouns.Origin>()
    same<
      typeof call.callBody,
      Omit<callNouns.ToolCall, 'definition'> & { definition?: callNouns.ToolDefinition }
    >()
    same<typeof request.question, Question>()
    same<typeof explanation.verdict, Verdict>()
    same<typeof push.quietHours, QuietHours>()
    same<typeof rendering.callParts, drawn.CallParts>()
    same<typeof rendering.linePiece, drawn.LinePiece>()
    same<typeof conversation.agent, talk.AgentDescription>()
    same<typeof conversation.said, talk.Said>()
    same<typeof conversation.refusal, talk.Refusal>()
    same<typeof conversation.usage, talk.Usage>()
    same<typeof conversation.mediaItem, talk.MediaItem>()
    alike<talk.TurnEntry['kind'], conversationTypes.WireTurnEntry['kind']>()
    alike<talk.TurnEvent['kind'], conversationTypes.WireTurnEvent['kind']>()
    alike<background.SessionProgress['state'], progressTypes.WireProgress['state']>()
    alike<background.ProgressCall['state'], progressTypes.WireTurnProgress['recent'][number]['state']>()
  })

  it("have the guard's results as its contract declares them: `Held` has functions near, `code` and `error` are text far", () => {
    alike<guard.Judgement, holdTypes.WireJudgeResult>()
    alike<guard.Can, holdTypes.WireCan>()
    alike<guard.Asked, holdTypes.WireAsked>()
    alike<guard.Answered, holdTypes.WireAnswered>()
    alike<guard.Pending, Omit<holdTypes.WirePending, 'asked'>>()
    alike<Omit<guard.Refused, 'code'>, Omit<holdTypes.WireRefused, 'code'>>()
    alike<Pick<guard.Held, HeldData>, Pick<holdTypes.WireHeld, HeldData>>()
    alike<Pick<guard.Replayed, RanData>, Pick<holdTypes.WireReplayed, RanData>>()
    alike<JsonObject, holdTypes.WireHeld['arguments']>()
  })
})

type HeldData = 'kind' | 'arguments' | 'edited' | 'by' | 'requestId' | 'key'
type RanData = 'kind' | 'replayed' | 'ranAt' | 'requestId' | 'by' | 'edited'

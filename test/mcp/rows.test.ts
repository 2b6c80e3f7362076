/**
 * What can go wrong between an MCP client and its server, and the tests that hold it off. A test that is renamed or removed fails here, so that
 * no row is left without one.
 */
import { describe, expect, it } from 'vitest'
import { productSources, readSource } from '../architecture/source-files.ts'

/** Each row with its tests: a file, and how a test in it begins. */
const ROWS: Record<string, [file: string, title: string][]> = {
  'a call that is spelled so that only the server takes it for one': [
    ['test/mcp/attacks.test.ts', 'P5: none of the spellings gets a call past'],
    ['test/mcp/attacks.test.ts', 'P5: those that a server understands are asked about like the plain one'],
    ['test/mcp/doors.test.ts', 'P5: a method that a lenient server could take for a call is refused'],
    ['src/mcp/lines/client-message.test.ts', 'refuses a name that stands twice'],
    ['src/mcp/lines/client-message.test.ts', 'refuses batches, marks, carriage returns inside'],
    ['src/mcp/lines/client-message.test.ts', 'refuses a member of the protocol in other letters'],
  ],
  'a method that has the same effect as a tool': [
    ['test/mcp/doors.test.ts', 'P5: %s stops where a rule denies it or asks'],
    ['test/mcp/doors.test.ts', '%s passes as it is, and is on the record'],
    ['src/http/routes/mcp/mcp.test.ts', 'is allowed and recorded unless a rule speaks of it'],
    ['src/gateway/judging/allow-unruled.test.ts', 'P5: no rule of a policy can be mistaken for the mode'],
    [
      'src/mcp/calls/gated-call.test.ts',
      'refuses a tool without a name, and one that is called like a method',
    ],
    ['test/mcp/newer-era.test.ts', 'asks after tasks of the server are the server’s'],
  ],
  'an answer of the client that confirms something big, or has a secret in it': [
    ['test/mcp/newer-era.test.ts', 'passes and is on the record'],
    ['test/mcp/newer-era.test.ts', 'P5: is kept back where a rule denies it'],
    ['test/mcp/newer-era.test.ts', 'P3: answers to questions that nobody has asked are refused'],
    ['test/mcp/doors.test.ts', 'P5: are kept back where a rule denies answers to %s'],
    ['test/mcp/client-answers.test.ts', 'P5: %s: the answer is kept back where a rule denies it'],
    ['test/mcp/client-answers.test.ts', 'P5: %s: a second answer reaches nobody'],
    [
      'test/mcp/client-answers.test.ts',
      'P5: an id that is only nearly the one of the question answers nothing',
    ],
    ['test/mcp/client-answers.test.ts', 'P5: a request with the id of a question that is open'],
    ['test/mcp/client-answers.test.ts', 'P5: answers to what nobody has asked reach nobody'],
    ['test/mcp/client-answers.test.ts', 'P5: are refused as %s, on a call that comes back and on a task'],
  ],
  'a tool that says something else of itself than when it was approved': [
    ['test/mcp/attacks.test.ts', 'P5: a tool that changed under way is asked about'],
    ['test/mcp/attacks.test.ts', 'P5: another program under the same name is asked about'],
    ['test/mcp/doors.test.ts', 'P5: a grant does not cover a tool whose definition has changed'],
    ['test/mcp/doors.test.ts', 'P5: a tool that is listed twice is no longer the one that was pinned'],
    ['test/mcp/doors.test.ts', 'P5: a definition that is %s makes its call refused'],
    ['src/gateway/access/mcp-pins.test.ts', 'P5: a definition that is no longer known is another one'],
    ['src/gateway/access/mcp-pins.test.ts', 'P5: a definition that is too long to be shown'],
    ['src/gateway/access/mcp-pins.test.ts', 'P6: only an admin accepts, and only what they saw'],
    ['src/mcp/listed-tools.test.ts', 'asks for all pages, once'],
    ['src/mcp/listed-tools.test.ts', 'an older list that comes late does not take the place of a newer one'],
  ],
  'a person who is shown another definition than the model saw': [
    ['test/mcp/doors.test.ts', 'P3: a request holds the definition that its model saw'],
    ['test/mcp/doors.test.ts', 'P5: a server that tells the client one text and the proxy another'],
    ['src/mcp/listed-tools.test.ts', 'P5: keeps what the client was told'],
    ['test/mcp/attacks.test.ts', 'P5: the server can’t tell our own questions from those of a client'],
  ],
  'texts of a server that are made to mislead people': [
    ['test/mcp/doors.test.ts', 'P3: a request holds the definition that its model saw'],
    ['test/mcp/doors.test.ts', 'P3: people are shown the server by the name that its user gave it'],
    ['test/mcp/ask-in-client.test.ts', 'P5: a form can reject'],
  ],
  'tools of two servers that have one name': [
    ['src/core/support/mcp-names.test.ts', 'P5: no two servers have a tool of the same name'],
    ['test/mcp/attacks.test.ts', 'P5: tools whose names look like another server’s or like a method'],
  ],
  'secrets in arguments, in answers, in the command of a server': [
    ['test/mcp/newer-era.test.ts', 'passes and is on the record'],
    ['test/mcp/doors.test.ts', 'secrets in the arguments and the result of a call'],
    ['test/mcp/shown-calls.test.ts', 'what a tool answers is shown to nobody, and is not in the journal'],
    ['test/mcp/refused-in-form.test.ts', 'P6: is not given once the token was revoked'],
    ['src/mcp/calls/kept-results.test.ts', 'is over after ten minutes'],
    ['src/gateway/access/mcp-pins.test.ts', 'tell no secrets of a program'],
    ['src/gateway/access/mcp-pins.test.ts', 'tell no secrets of a definition'],
  ],
  'a state or a task that somebody else, another call or a second run uses': [
    ['test/mcp/newer-era.test.ts', 'P4: is good once, for the same call, and is no approval'],
    ['test/mcp/newer-era.test.ts', 'P5: is worth nothing to another proxy'],
    ['test/mcp/newer-era.test.ts', 'P5: another proxy knows nothing of it'],
    ['test/mcp/newer-era.test.ts', 'P4: runs when the client asks after it was approved, and once'],
    ['src/gateway/access/mcp-states.test.ts', 'P5: is over after a day'],
    ['src/http/routes/mcp/mcp.test.ts', 'P5: what a client comes back with is for the token'],
  ],
  'a service of ours that starts what a caller names': [
    ['test/mcp/rows.test.ts', 'nothing that answers HTTP can start a program'],
  ],
  'the server’s environment with our token in it': [
    ['test/mcp/bytes.test.ts', 'gives the server the environment without what is ours'],
  ],
  'stray prints in the middle of the protocol': [
    ['test/mcp/bytes.test.ts', 'carries lines of the server as they are, and its stray prints'],
    ['test/mcp/floods.test.ts', 'megabytes of stray prints go to standard error'],
  ],
  'messages that are too long': [
    ['test/mcp/bytes.test.ts', 'a line over the limit fails its own call, in both directions'],
    ['test/mcp/attacks.test.ts', 'P5: a line over the limit carries nothing'],
    ['test/mcp/bytes.test.ts', 'puts no answer out of memory'],
  ],
  'one of the three ends, is killed or goes': [
    ['test/mcp/ends.test.ts', 'P4: a client that closes its end while a call waits'],
    ['test/mcp/ends.test.ts', 'P4: a proxy that is killed while a call waits'],
    ['test/mcp/ends.test.ts', 'P4: a signal goes to the server'],
    ['test/mcp/ends.test.ts', 'a server that ends in the middle of calls'],
    ['test/mcp/ends.test.ts', 'what a server has started ends with it'],
    ['test/mcp/calls.test.ts', 'P4: what is cancelled while it waits never runs'],
    ['test/mcp/coming-back.test.ts', 'P4: a call that is cancelled when it comes back does not go on'],
    ['test/mcp/client-answers.test.ts', 'P4: %s that waits for approval is withdrawn when its client goes'],
    ['test/mcp/hangs.test.ts', 'P4: reads nothing any more'],
    ['test/mcp/floods.test.ts', 'P4: %s in the middle of the answer to an approved call'],
  ],
  'answers that nobody has asked for, or a second one': [
    ['test/mcp/floods.test.ts', 'P4: thousands of answers to a call that it was not given'],
    ['test/mcp/floods.test.ts', 'P4: thousands of answers to ids that nobody uses'],
    ['test/mcp/floods.test.ts', 'P5: a second list, or one before the client asks'],
    ['test/mcp/floods.test.ts', 'P4: a line over the limit with the id of a call that waits'],
    [
      'test/mcp/refused-in-form.test.ts',
      'P4: a line of the server that is a question and a %s reaches nobody',
    ],
  ],
  'links in what a tool answers': [
    ['test/mcp/doors.test.ts', 'links in results go to the client as they are, and nobody opens them'],
  ],
  'a failure that lets a call through': [
    ['test/mcp/outages.test.ts', 'P5: none is running: tools are listed, calls are refused'],
    ['test/mcp/outages.test.ts', 'P5: an answer that is no hold runs nothing'],
    ['test/mcp/outages.test.ts', 'P5: 500 for good: refused with that'],
    ['test/mcp/outages.test.ts', 'P6: a token that is revoked while a call waits'],
    ['test/mcp/failing-closed.test.ts', 'P5: a store that is locked'],
    ['test/mcp/failing-closed.test.ts', 'P5 P11: a policy that nobody has trusted allows nothing'],
    ['test/mcp/hangs.test.ts', 'P5: %s when a call is asked about'],
    ['test/mcp/coming-back.test.ts', 'P4: 500 for good: the client is told that the call was broken off'],
    ['test/mcp/coming-back.test.ts', 'P4: the answer is lost when it is used'],
    ['test/mcp/hangs.test.ts', 'P4: hangs while a call waits and is approved'],
  ],
  'an address that is away, hangs, turns a call away or answers something else': [
    ['test/mcp/address-failures.test.ts', 'P4: %s: the call did not run, with the reason'],
    ['test/mcp/address-failures.test.ts', 'P4: %s: the call may have run, and is not sent again'],
    ['test/mcp/address-failures.test.ts', 'P4: an answer that is silent for too long'],
    ['test/mcp/address-failures.test.ts', 'P4: gone before the call is sent'],
  ],
  'a credential that goes to another address': [
    ['test/mcp/address-failures.test.ts', 'P4: %i is not followed'],
    ['test/mcp/address-failures.test.ts', 'a credential that is not taken is named by its option'],
  ],
  'an address that is told otherwise in headers than in the body': [
    ['test/mcp/address.test.ts', 'repeats method, name and the arguments that the tool names in headers'],
    ['test/mcp/address.test.ts', 'P5: what a schema wants as a header can be no other header'],
  ],
}

describe('every row has its tests', () => {
  it.each(Object.entries(ROWS))('%s', (_, tests) => {
    const gone = tests.filter(([file, title]) => {
      const { text } = readSource(file)
      return !["'", '"', '`'].some((quote) => text.includes(`${quote}${title}`))
    })
    expect(gone).toEqual([])
  })
})

it('nothing that answers HTTP can start a program', () => {
  const starts = productSources().filter(
    ({ path, text }) => /^src\/(?:http|gateway|wire)\//.test(path) && text.includes('child_process'),
  )
  expect(starts.map(({ path }) => path)).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { prepareCall } from '../../../core/call.ts'
import type { Request } from '../../../core/request.ts'
import type { Card } from '../card/card.ts'
import { fitCard } from '../card/fit-card.ts'
import { readTelegramHtml } from './fixtures/telegram-html.ts'
import { renderTelegram } from './render.ts'
import { createTelegram } from './telegram.ts'

const service = createTelegram({ token: '1:x', url: 'http://127.0.0.1:9' })

function requestOf(args: object, parts: Partial<Request> = {}): Request {
  const { bytes, digest } = prepareCall({ tool: 'run', arguments: args, callId: 'c', session: 's' })
  return {
    id: 'req_1',
    kind: 'approval',
    session: 's',
    callId: 'c',
    submittedBy: 'bot',
    tool: 'run',
    digest,
    bytes,
    commitmentKey: '',
    because: 'a person is asked about run (rules)',
    terms: {
      conditions: [{ rule: 'rules', quorum: 1 }],
      allowedDecisions: ['approve', 'reject'],
      scopes: ['once'],
      severity: 'normal',
    },
    reach: 'durable',
    policyVersion: '1',
    expiresInMs: 1,
    state: 'pending',
    version: 1,
    createdAt: 0,
    deadline: 1,
    progress: {},
    ...parts,
  }
}

const context = {
  locale: 'en',
  knownTool: () => ({ isKnown: true, acting: [] }),
  approvable: { here: true },
  mentions: [],
  inbox: 'https://approvals.example.org/#/pending/req_1',
  showsAction: true,
} as const

/** Texts of what is hard to show: markup, links, signs that grow when they are escaped, pairs of surrogates. */
const piece = fc.oneof(
  fc.constantFrom(
    '<b>',
    '</pre>',
    '&amp;',
    '&',
    '<',
    '>',
    '@ana',
    'https://x.com',
    'x.me',
    '#a',
    '/go',
    '```',
    '\n',
    '"',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const text = fc
  .tuple(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 400 }))
  .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 20_000).toWellFormed())

describe('a card in Telegram', () => {
  it('P9: in a group that the configuration doesn’t name shows nothing that the agent or a person wrote', () => {
    const decision = { kind: 'reject', by: 'ana', at: 0, via: 'inbox', reason: 'secret reason' } as const
    const shown = (parts: Partial<Request>) => {
      const words = {
        context: 'secret context',
        preview: 'secret preview',
        because: 'secret cause',
        ...parts,
      }
      const { rendered } = fitCard(service, requestOf({ a: 'secret value' }, words), {
        ...context,
        showsAction: false,
      })
      return JSON.stringify(rendered.payload)
    }
    const pending = shown({})
    expect(pending).toContain('The action is not shown in this group.')
    expect(pending).not.toContain('secret')
    expect(pending).not.toContain('Approve')
    const over = shown({ state: 'rejected', progress: { decision } } as never)
    expect(over).toContain('ana rejected')
    expect(over).not.toContain('secret')
  })

  it('P9: fits, is well formed, links and mentions nothing, and has an Approve button only if it shows the whole value', () => {
    fc.assert(
      fc.property(text, text, text, (value, words, agent) => {
        const request = requestOf({ value }, { context: words, agent: { name: agent.slice(0, 200) || 'a' } })
        const { rendered, actions } = fitCard(service, request, context)
        const { text: html, reply_markup } = rendered.payload as { text: string; reply_markup: object }
        expect(html.length).toBeLessThanOrEqual(4096)
        const read = readTelegramHtml(html)
        expect(read).toBeDefined()
        expect(read!.entities.filter((entity) => !/^(?:b|pre|blockquote|code)$/.test(entity))).toEqual([])
        const { inline_keyboard } = reply_markup as { inline_keyboard: { callback_data?: string }[][] }
        for (const { callback_data: data } of inline_keyboard.flat())
          expect(data === undefined || /^[\w-]{22}$/.test(data)).toBe(true)
        const canApprove = Object.values(actions).some(({ kind }) => kind === 'approve')
        expect(canApprove).toBe(!read!.text.includes("doesn't fit here"))
        // The value was one line of letters: then it can be looked for as it is.
        if (canApprove && /^[a-z]*$/.test(value)) expect(read!.text).toContain(value)
        const [, action = ''] = /<pre>(.*)<\/pre>/s.exec(html) ?? []
        expect(action.includes('left out⟩')).toBe(!canApprove)
        // What is cut is never cut within a mark of ours.
        expect(read!.text.replaceAll(/⟨[^⟨⟩]*⟩/gu, '')).not.toMatch(/[⟨⟩]/u)
      }),
      { numRuns: runs(150) },
    )
  })

  it('P9: the limit is that of the escaped text: one character more and there is no Approve button', () => {
    const canApprove = (length: number) => {
      const { actions } = fitCard(service, requestOf({ value: '<'.repeat(length) }), context)
      return Object.values(actions).some(({ kind }) => kind === 'approve')
    }
    let [fits, tooMany] = [1, 4096]
    for (let step = 0; step < 20 && tooMany - fits > 1; step++) {
      const middle = Math.floor((fits + tooMany) / 2)
      if (canApprove(middle)) fits = middle
      else tooMany = middle
    }
    expect([fits > 800, tooMany < 1024, canApprove(fits), canApprove(fits + 1)]).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('an inbox that only this machine knows is text, not a button that Telegram would refuse', () => {
    const card: Card = {
      locale: 'en',
      tone: 'pending',
      title: 't',
      mentions: [],
      parts: [],
      buttons: [],
      forms: [],
      inbox: { label: 'Open in inbox', url: 'http://127.0.0.1:4173/#/pending/req_1' },
    }
    expect(renderTelegram(card)).toMatchObject({
      payload: { text: expect.stringContaining('<code>http://127'), reply_markup: { inline_keyboard: [] } },
    })
  })
})

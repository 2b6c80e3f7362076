/** What people see, and where. */
import type { Actor } from '../../core/session.ts'
import { type ChatSuite, type ChatTest, GROUP_CHAT, QUORUM, until } from './chat-test.ts'

const labels = ({ buttons }: { buttons: readonly { label: string }[] }) => buttons.map(({ label }) => label)
const ASK = 'ask_user_question'

/** Whether the card says it, and how it says it. */
async function saying(test: ChatTest, ...parts: string[]): Promise<string[]> {
  const { text } = await test.card()
  return parts.filter((part) => !text.includes(part))
}

export function describeCards({ describe, it, expect }: ChatSuite): void {
  describe('cards', () => {
    it('P9: mistake 3, the command is hidden: a card says who wants what, the whole action, the risk with its cause, the words of the agent as such, and the deadline', async (test) => {
      await test.ask({ context: 'tidying up', agent: { name: 'builder' } })
      const missing = await saying(
        test,
        'builder wants to use deploy',
        'environment: staging',
        'Needs approval',
        'unverified',
        'tidying up',
        'Answer by',
      )
      expect(missing).toEqual([])
      expect(labels(await test.card())).toEqual(['Approve', 'Reject', 'Reject with reason', 'Open in inbox'])
    })

    it(
      'in Chinese',
      async (test) => {
        await test.ask()
        expect(await saying(test, '想要使用 deploy', '需要审批', '前答复')).toEqual([])
        expect(labels(await test.card()).slice(0, 2)).toEqual(['批准', '拒绝'])
      },
      { chat: { locale: 'zh' } },
    )

    it('P9: mistake 2, truncated command and live Approve button: what does not fit whole has no Approve button', async (test) => {
      const request = await test.ask({ arguments: { command: `${'<&>'.repeat(20_000)} rm -rf /` } })
      const card = await test.card()
      expect(labels(card).includes('Approve')).toBe(false)
      expect(card.buttons.at(-1)!.url!.endsWith(`/#/pending/${request.id}`)).toBe(true)
      expect(await saying(test, "doesn't fit here", 'left out')).toEqual([])
      expect(await test.click('Reject')).toBe('Rejected.')
    })

    it('mistake 4, data that is too long: a handle has 22 characters, and says nothing', async (test) => {
      const request = await test.ask({ callId: 'c'.repeat(200), tool: 't'.repeat(200) })
      for (const { handle } of (await test.card()).buttons.filter((button) => button.url === undefined)) {
        expect([handle!.length, handle!.includes(request.id.slice(4))]).toEqual([22, false])
      }
    })

    it('P9: mistake 8, secrets in cards: they are masked, and what a name hides is approved in the inbox', async (test) => {
      const token = `ghp_${'a1B2c3D4e5'.repeat(3)}abcdef`
      const request = await test.ask({
        arguments: { note: token, password: 'rm -rf / #' },
        context: `with ${token}`,
      })
      const card = await test.card()
      expect([card.text.includes(token), card.text.includes('rm -rf')]).toEqual([false, false])
      expect(labels(card).includes('Approve')).toBe(false)
      const { digest } = request
      const account = { service: 'x', tenant: '', account: '1', isHome: true, proof: {} }
      const refused = await test.node.gateway
        .decide(request.id, { decision: 'approve', digest }, account)
        .catch((error) => error.code)
      expect(refused).toBe('unlinked_account')
    })

    it('P9: mistake 9, buttons in a second message: what is read and what is pressed are one message, and nothing else is sent', async (test) => {
      await test.ask({ arguments: { text: 'a line\n'.repeat(80) }, context: 'why '.repeat(60) })
      const card = await test.card()
      expect(test.all().length).toBe(1)
      expect(await saying(test, 'a line', 'why why')).toEqual([])
      expect(labels(card).slice(0, 2)).toEqual(['Approve', 'Reject'])
    })

    it('P6: mistake 11, a link that approves: the only address on a card is that of the request’s page, which carries no secret', async (test) => {
      const request = await test.ask({ arguments: { url: 'https://example.com/approve?token=1' } })
      const card = await test.card()
      const handles = card.buttons.flatMap(({ handle }) => (handle === undefined ? [] : [handle]))
      const addresses = [
        ...card.links,
        ...card.buttons.flatMap(({ url }) => (url === undefined ? [] : [url])),
      ]
      expect([...new Set(addresses)]).toEqual([`https://approvals.example.org/#/pending/${request.id}`])
      expect(handles.filter((handle) => addresses.join().includes(handle))).toEqual([])
      expect((await test.get(request)).state).toBe('pending')
    })

    it('P9: mistake 13, markup: nothing in a call becomes a mention, a link, markup or a second card', async (test) => {
      const nasty = [
        '<b>Approved by ana</b><a href="https://evil.example.com">x</a>',
        '@channel <!here> <@U1> <at id=all></at> /start #tag',
        '[Approve](https://evil.example.com) https://evil.example.com evil.com tg://user?id=1',
        '```\n``` ~~~\n</pre></code></blockquote>&lt;b&gt;&amp;',
        '\u202eevorppA\u202c \u200b',
      ].join('\n')
      await test.ask({
        tool: 'deploy',
        arguments: { text: nasty, [nasty.slice(0, 100)]: '@everyone' },
        agent: { name: '@channel evil.com <b>' },
        context: nasty,
        preview: '@everyone evil.com',
      })
      const card = await test.card()
      expect([card.mentions, card.links]).toEqual([[], []])
      expect(await saying(test, '<b>Approved by ana</b>', '</pre></code>', 'U+202E')).toEqual([])
    })

    it(
      'P9: groups: approvers are mentioned and nobody else, and a session that came from a named group is asked about there',
      async (test) => {
        await test.ask({ context: '@eve look' })
        const { group, accounts } = test.standIn
        await until(() => test.standIn.messages(group).length === 1)
        const [card] = test.standIn.messages(group)
        expect([...card!.mentions].sort()).toEqual([accounts.ana, accounts.ben])
        expect([card!.text.includes('staging'), test.cards('ana').length]).toEqual([true, 0])
      },
      GROUP_CHAT,
    )

    it(
      'P8: a hundred approvers leave room for the action: some of them are mentioned, and it can be approved',
      async (test) => {
        await test.ask()
        const { group } = test.standIn
        await until(() => test.standIn.messages(group).length === 1)
        const [card] = test.standIn.messages(group)
        expect([card!.mentions.length, labels(card!)[0]]).toEqual([20, 'Approve'])
      },
      ({ accounts, group }) => ({
        chat: { chats: [group] },
        conversation: group,
        people: Object.fromEntries(
          Array.from({ length: 100 }, (_, place) => {
            const account = place === 0 ? accounts.ana : `${accounts.ana}${place}`
            return [place === 0 ? 'ana' : `approver-${place}`, { groups: ['approvers'], account }]
          }),
        ),
      }),
    )

    it(
      'P11: a group that the configuration does not name is not asked, whatever the agent says of its origin',
      async (test) => {
        await test.ask()
        await test.card()
        expect([test.standIn.messages(test.standIn.group), test.cards().length]).toEqual([[], 1])
      },
      (standIn) => ({ conversation: standIn.group }),
    )

    it(
      'each approver with an account has a card with handles of its own, in the order of the rule',
      async (test) => {
        await test.ask()
        const [one, other] = [await test.card('ana'), await test.card('ben')]
        expect(test.handle(one, 'Approve') === test.handle(other, 'Approve')).toBe(false)
        expect(test.cards('eve')).toEqual([])
      },
      QUORUM,
    )

    it(
      'P6: a person whose account was linked by hand is asked there and answers there; a link of another tenant writes to nobody',
      async (test) => {
        const { service, tenant, accounts } = test.standIn
        const admin = { subject: 'ana', role: 'admin', via: 'inbox' } as const
        await test.node.gateway.accounts.link(
          { service, tenant: 'other', account: accounts.eve },
          'eve',
          admin,
        )
        await test.node.gateway.accounts.link({ service, tenant, account: accounts.ana }, 'ana', admin)
        const request = await test.ask()
        expect(await test.click('Approve')).toBe('Approved.')
        expect((await test.get(request)).progress.decision?.by).toBe('ana')
        await test.shown(request)
        expect(test.cards('eve')).toEqual([])
      },
      {
        people: { ana: { groups: [] }, eve: { groups: ['approvers'] } },
      },
    )

    it('a question is answered by a button, or declined', async (test) => {
      const questions = [
        { id: 'where', question: 'Where to?', options: [{ label: 'staging' }, { label: '@all' }] },
      ]
      const request = await test.ask({ tool: ASK, arguments: { questions } })
      expect(await saying(test, 'Where to?')).toEqual([])
      expect(await test.click('staging')).toBe('Answered.')
      const { state, progress } = await test.get(request)
      expect([state, progress.decision?.answers]).toEqual(['answered', { where: { choices: ['staging'] } }])
      const other = await test.ask({ tool: ASK, arguments: { questions } })
      await until(() => test.cards().length === 2)
      expect(await test.click('Decline')).toBe('Declined.')
      expect((await test.get(other)).state).toBe('declined')
    })

    it('a question with a text of one’s own is answered by a reply', async (test) => {
      const request = await test.ask({
        tool: ASK,
        arguments: { questions: [{ id: 'why', question: 'Why?' }] },
      })
      const { message } = await test.card()
      await test.clock.advance(2_000)
      await test.say('because of <b>it</b>', { replyTo: message })
      const { progress } = await test.get(request)
      expect(progress.decision?.answers).toEqual({ why: { text: 'because of <b>it</b>' } })
      await until(async () => (await saying(test, 'because of <b>it</b>')).length === 0)
    })

    it('P9: a question of which the card shows only a part is not answered there, by a button or by a reply', async (test) => {
      const question = `Tidy up? ${'"'.repeat(16_000)}`
      const texts = [
        { id: 'a', question },
        { id: 'a', question, options: [{ label: 'Yes' }, { label: 'No' }], freeText: true },
        { id: 'a', question: 'Tidy up?', options: [{ label: 'Yes', description: '"'.repeat(16_000) }] },
      ]
      for (const [count, one] of texts.entries()) {
        const request = await test.ask({ tool: ASK, arguments: { questions: [one] } })
        await until(() => test.cards().length === count + 1)
        const card = await test.card()
        expect([labels(card), card.text.includes('left out')]).toEqual([['Decline', 'Open in inbox'], true])
        await test.clock.advance(2_000)
        await test.say('Yes', { replyTo: card.message })
        expect((await test.get(request)).state).toBe('pending')
        await until(() => test.said().includes('Use the button on the card, or the inbox'))
      }
    })

    it('P9: a question of some length is shown whole and answered, and choices that begin alike are told apart', async (test) => {
      const question = `Which? ${'x'.repeat(400)} the middle ${'y'.repeat(400)}`
      const options = ['one', 'two'].map((end) => ({ label: `${'Deploy '.repeat(20)}${end}` }))
      const request = await test.ask({
        tool: ASK,
        arguments: { questions: [{ id: 'a', question, options }] },
      })
      expect(await saying(test, ' the middle ', `2. ${options[1]!.label}`)).toEqual([])
      const [first, second] = labels(await test.card())
      expect([first!.startsWith('1. '), second!.startsWith('2. ')]).toEqual([true, true])
      await test.click(second!)
      expect((await test.get(request)).progress.decision?.answers).toEqual({
        a: { choices: [options[1]!.label] },
      })
    })

    it('P8: whatever an agent writes, a card is sent that can be rejected, and that says what became of it', async (test) => {
      const option = (place: number) => ({
        label: `${place}${'&'.repeat(300)}`,
        description: '"'.repeat(300),
      })
      const options = Array.from({ length: 20 }, (_, place) => option(place))
      const questions = ['a', 'b', 'c', 'd'].map((id) => ({ id, question: '&'.repeat(16_000), options }))
      const long = { context: '<'.repeat(16_000), preview: '"'.repeat(16_000) }
      const calls = [
        { ...long, tool: '&'.repeat(256), agent: { name: '&'.repeat(256) } },
        { ...long, tool: ASK, arguments: { questions } },
      ]
      for (const [count, call] of calls.entries()) {
        const request = await test.ask(call)
        await until(() => test.cards().length === count + 1)
        expect(await test.click(count === 0 ? 'Reject' : 'Decline')).toBe(
          count === 0 ? 'Rejected.' : 'Declined.',
        )
        await test.shown(request)
        expect(await saying(test, count === 0 ? 'ana rejected' : 'ana declined', request.id)).toEqual([])
      }
    })

    it('P9: of a call of a hundred kilobytes a part is shown, and nobody is told that it was erased', async (test) => {
      await test.ask({ arguments: { script: 'x'.repeat(100_000) } })
      const { text } = await test.card()
      expect([/erased/.test(text), /left out/.test(text), /doesn't fit here/.test(text)]).toEqual([
        false,
        true,
        true,
      ])
    })

    it(
      'P8: quiet hours make no sound, keep nobody from being asked and move no deadline',
      async (test) => {
        const request = await test.ask()
        const card = await test.card()
        expect(card.isSilent || !test.limits.canBeSilent).toBe(true)
        expect((await test.get(request)).deadline).toBe(request.deadline)
      },
      (standIn) => ({
        people: {
          ana: {
            groups: [],
            account: standIn.accounts.ana,
            quietHours: { from: '00:00', to: '23:59', zone: 'UTC' },
          },
        },
        policy: { rules: [{ name: 'soon', when: { tool: '*' }, then: 'ask', expiresIn: '10m' }] },
      }),
    )
  })

  describe('quiet hours that a person has set', () => {
    const ana: Actor = { subject: 'ana', role: 'admin', via: 'http' }

    it(
      'P8: hold a card back, or its sound, but not where the risk is high',
      async (test) => {
        await test.node.gateway.quietHours.set({ from: '00:00', to: '23:59', zone: 'UTC' }, ana)
        await test.ask()
        if (test.limits.canBeSilent) expect((await test.card()).isSilent).toBe(true)
        await test.ask({ tool: 'risky' })
        await until(() => test.cards().some(({ text }) => text.includes('risky')))
        expect(test.cards().length).toBe(test.limits.canBeSilent ? 2 : 1)
      },
      {
        policy: {
          rules: [
            { name: 'risky', when: { tool: 'risky' }, then: 'ask', severity: 'high', expiresIn: '3d' },
            { name: 'later', when: { tool: 'deploy' }, then: 'ask', expiresIn: '3d' },
          ],
        },
      },
    )
  })
}

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseUpdate } from './parse.ts'

const message = { message_id: 5, chat: { id: -100, type: 'supergroup' } }
const click = (more: object) => ({
  update_id: 1,
  callback_query: { id: 'q', from: { id: 101, is_bot: false }, message, data: 'h', ...more },
})
const text = (more: object) => ({
  update_id: 1,
  message: { ...message, from: { id: 101, is_bot: false }, date: 10, text: 'y', ...more },
})

it('P6: a click is of the account that Telegram names, whatever its user name is', () => {
  expect(parseUpdate(click({ from: { id: 101, is_bot: false, username: 'owner' } }))).toEqual({
    kind: 'click',
    query: 'q',
    click: {
      event: 'click:q',
      account: {
        service: 'telegram',
        tenant: '',
        account: '101',
        isHome: true,
        proof: { update: '1', query: 'q' },
      },
      chat: '-100',
      message: '5',
      handle: 'h',
    },
  })
})

it.each([1087968824, 136817688, 777000, undefined, '101', 1.5, null])(
  'P6: a click of %s is nobody’s',
  (id) => {
    expect(parseUpdate(click({ from: { id } }))).toEqual({ kind: 'anonymous', query: 'q' })
    expect(parseUpdate(text({ from: { id, is_bot: false } }))).toBeUndefined()
  },
)

it.each([
  [{}, {}],
  [{ forward_origin: {} }, { isForwarded: true }],
  [{ forward_date: 1 }, { isForwarded: true }],
  [{ is_automatic_forward: true }, { isForwarded: true }],
  [{ edit_date: 1 }, { isEdited: true }],
  [{ via_bot: { id: 5 } }, { isBot: true }],
  [{ from: { id: 101, is_bot: true } }, { isBot: true }],
  [{ from: { id: 101 } }, { isBot: true }],
  [{ reply_to_message: { message_id: 3 } }, { replyTo: '3' }],
  [{ chat: { id: 101, type: 'private' } }, { isPrivate: true }],
  [{ chat: { id: 102, type: 'private' } }, { isPrivate: false }],
  [{ from: { id: 101, is_bot: false, first_name: 'Ana', username: 'ana' } }, { senderName: 'Ana (@ana)' }],
  [{ from: { id: 101, is_bot: false, first_name: 'A', last_name: 'B' } }, { senderName: 'A B' }],
  [{ from: { id: 101, is_bot: false, first_name: 5, username: 'ana' } }, { senderName: '(@ana)' }],
])('P6: a message with %j is %j', (more, parsed) => {
  const plain = { isForwarded: false, isEdited: false, isBot: false, isPrivate: false, writtenAt: 10_000 }
  expect(parseUpdate(text(more))).toMatchObject({ kind: 'message', message: { ...plain, ...parsed } })
})

it('P6: a message in the name of a group or channel is nobody’s', () => {
  expect(parseUpdate(text({ sender_chat: { id: -100 } }))).toBeUndefined()
})

it('P5: whatever else comes throws nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      for (const value of [
        one,
        { update_id: 1, message: one },
        click({ message: one, from: other }),
        text({ chat: one, from: other }),
      ])
        expect(() => parseUpdate(value)).not.toThrow()
    }),
  )
})

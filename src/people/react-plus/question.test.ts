import { afterEach, describe, expect, it } from 'vitest'
import { openTestChat, type Receipt, type Stream, type TestChat } from './fixtures/test-chat.ts'

let chat: TestChat
afterEach(() => chat.close())

const COLOUR = { id: 'colour', question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] }
const NAME = { id: 'name', question: 'What is it called?' }

interface Option {
  optionId: string
  label: string
  requiresInput: boolean
  inputPrompt: string | null
}

/** Has the agent ask, and gives what the person is shown. */
async function ask(questions: object[]) {
  const script = [
    {
      steps: [
        { calls: [{ tool: 'ask_user_question', arguments: { questions } }] },
        { say: 'heard: {result}' },
      ],
    },
  ]
  chat = await openTestChat({ script, policy: {} })
  const stream = await chat.stream({ sessionId: 's', message: 'go' })
  const { data } = await stream.until('TOOL_APPROVAL')
  const options = data.options as Option[]
  const answer = (selectedOptionId: string, more: object = {}): Promise<Receipt> =>
    chat.respond({ sessionId: 's', requestId: data.requestId, selectedOptionId, feedback: null, ...more })
  return { stream, data, options, answer }
}

const heard = async (stream: Stream) => (await stream.until('COMPLETED')).message

describe('a question', () => {
  it('with choices is answered by a click on one, on a page that knows only approvals', async () => {
    const { stream, data, options, answer } = await ask([COLOUR])
    expect(data).toMatchObject({ type: 'USER_CHOICE', message: 'Which colour?' })
    expect(options.map(({ optionId, label }) => [optionId, label])).toEqual([
      ['option-1', 'red'],
      ['option-2', 'blue'],
      ['reject', '不回答'],
      ['terminate', '拒绝并终止对话'],
    ])
    expect(await answer('option-3')).toMatchObject({ success: false })
    expect(await answer('approve')).toMatchObject({ success: false })
    expect(await answer('option-2')).toMatchObject({ success: true })
    const settled = await stream.until('PROGRESS', (frame) => frame.data.stage === 'request_settled')
    expect(settled.data).toMatchObject({ requestId: data.requestId, state: 'answered', by: 'ana' })
    expect((await stream.until('TOOL')).data).toMatchObject({ name: 'ask_user_question', answeredBy: 'ana' })
    expect(await heard(stream)).toContain('blue')
  })

  it('without choices is answered in the input', async () => {
    const { stream, data, options, answer } = await ask([NAME])
    expect(data.type).toBe('USER_INPUT')
    expect(options[0]).toMatchObject({
      optionId: 'answer',
      requiresInput: true,
      inputPrompt: 'What is it called?',
      metadata: { inputMayBeEmpty: false },
    })
    expect(await answer('answer')).toMatchObject({ success: false, code: 'invalid_decision' })
    expect(await answer('answer', { feedback: 'Banksman' })).toMatchObject({ success: true })
    expect(await heard(stream)).toContain('Banksman')
  })

  it('with several parts is answered a line for each', async () => {
    const several = { ...COLOUR, multiSelect: true }
    const { stream, options, answer } = await ask([several, NAME])
    expect(options[0]?.inputPrompt).toContain('1) Which colour? [red / blue] 2) What is it called?')
    expect(await answer('answer', { feedback: 'red' })).toMatchObject({ success: false })
    expect(await answer('answer', { feedback: 'green\nBanksman' })).toMatchObject({ success: false })
    expect(await answer('answer', { feedback: 'red, blue\nBanksman' })).toMatchObject({ success: true })
    const text = await heard(stream)
    for (const word of ['red', 'blue', 'Banksman']) expect(text).toContain(word)
  })

  it('is answered by name, by a page that knows questions', async () => {
    const { stream, data, answer } = await ask([COLOUR, NAME])
    expect(data.context.questions).toEqual([
      {
        id: 'colour',
        question: 'Which colour?',
        header: null,
        options: [
          { label: 'red', description: null },
          { label: 'blue', description: null },
        ],
        multiSelect: false,
        freeText: false,
      },
      {
        id: 'name',
        question: 'What is it called?',
        header: null,
        options: [],
        multiSelect: false,
        freeText: true,
      },
    ])
    const by = (answers: unknown) => answer('answer', { data: { answers } })
    expect(await by([])).toMatchObject({ success: false })
    expect(await by({ colour: { choices: ['green'] }, name: { text: 'x' } })).toMatchObject({
      success: false,
    })
    expect(await by({ colour: { choices: ['red'] } })).toMatchObject({ success: false })
    expect(await by({ colour: { choices: ['red'] }, name: { text: 'x' } })).toMatchObject({ success: true })
    expect(await heard(stream)).toContain('red')
  })

  it('P9: shows what its words hide, and takes the choice all the same', async () => {
    const { stream, data, answer } = await ask([{ ...COLOUR, question: 'Which\u200b colour?' }])
    expect(data.context.questions[0].question).toBe('Which⟨U+200B ZWSP⟩ colour?')
    expect(await answer('option-1')).toMatchObject({ success: true })
    expect(await heard(stream)).toContain('ed')
  })

  it('may go unanswered, with a reason that the agent is told', async () => {
    const { stream, answer } = await ask([NAME])
    expect(await answer('reject', { feedback: 'guess' })).toMatchObject({ success: true })
    expect(await heard(stream)).toContain('guess')
  })
})

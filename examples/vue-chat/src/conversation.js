/**
 * One conversation: what was said and done, and what waits for a decision. Everything that comes from the server goes
 * through `take`; the page only shows what is here.
 */
import { isClientError } from 'banksman/client'
import { reactive } from 'vue'

const SESSION = 'vue-chat.session'

/** The name of the conversation in this tab. It is a label: whose it is, the server knows from the credential. */
export function sessionInTab() {
  const saved = sessionStorage.getItem(SESSION)
  return saved ?? newSession()
}

export function newSession() {
  const session = `session-${crypto.randomUUID()}`
  sessionStorage.setItem(SESSION, session)
  return session
}

export function createConversation({ client, session, words, onRefused }) {
  const state = reactive({
    lines: [],
    /** What a person is asked, in order; those that are over stay until the turn is. */
    requests: [],
    /** What the model is saying just now. */
    live: '',
    isRunning: false,
    /** A person has ended it: nothing more can be said. */
    isOver: false,
    lost: undefined,
  })
  const stop = new AbortController()
  let following = 0
  let keys = 0

  function add(kind, text, about = {}) {
    state.lines.push({ key: ++keys, kind, text, ...about })
  }

  async function follow(events) {
    const mine = ++following
    state.isRunning = true
    try {
      for await (const event of events) {
        // The newest stream tells everything; an older one of the same turn would tell it twice.
        if (mine !== following) return
        take(event)
      }
    } catch (error) {
      if (mine === following) fail(error)
    } finally {
      if (mine === following) {
        state.isRunning = false
        state.live = ''
        state.lost = undefined
      }
    }
  }

  function fail(error) {
    if (isClientError(error) && error.status === 401) onRefused(error)
    add('error', error instanceof Error ? error.message : String(error))
  }

  const connection = {
    signal: stop.signal,
    onStatus(status) {
      state.lost = status.kind === 'lost' ? Math.ceil(status.retryInMs / 1000) : undefined
    },
  }

  function take(event) {
    const { type, message, data, meta, turnId } = event
    const about = { turn: turnId, sub: meta.subAgent === true ? [...meta.parents, event.agentId] : undefined }
    if (data.requestId !== undefined && type !== 'TOOL_APPROVAL') settle(data.requestId, data)
    switch (type) {
      case 'PROGRESS':
        return progress(event, about)
      case 'THINKING':
        state.live = ''
        if (data.part > 1) {
          const last = state.lines.findLast((line) => line.kind === 'thinking' || line.kind === 'answer')
          if (last !== undefined) last.text += message
        } else add(data.final === true && about.sub === undefined ? 'answer' : 'thinking', message, about)
        return
      case 'ACTING':
        return add('acting', message, { ...about, code: JSON.stringify(data.toolArgs, null, 2) })
      case 'TOOL_APPROVAL':
        return ask(data, meta, about)
      case 'TOOL':
        return add('tool', words().toolDone(data.name, data.ok), { ...about, code: data.responseData })
      case 'OBSERVING':
        return add('observing', message, about)
      case 'COMPLETED':
        finish()
        return add('note', words().completed, about)
      case 'ERROR':
        add('error', message, about)
        if (data.final === true) finish()
        if (data.status === 'terminated') state.isOver = true
    }
  }

  function progress({ message, data, turnId }, about) {
    switch (data.stage) {
      case 'begun':
        // It may be told again from its beginning: what is known of it is told anew.
        state.lines = state.lines.filter((line) => line.turn !== turnId || line.kind === 'user')
        return
      case 'model_called':
        state.live = ''
        return
      case 'text':
        state.live += data.delta
        return
      case 'call_refused':
      case 'model_retried':
      case 'interrupted':
        return add('note', message, about)
    }
  }

  function ask(request, meta, about) {
    const id = idOf(request.requestId)
    // By this machine's clock: the server's may be another.
    const seconds = request.timeoutSeconds
    const expiresAt = seconds === null ? undefined : Date.now() + seconds * 1000
    const card = { id, request, meta, expiresAt, state: 'open', problem: '', sub: about.sub }
    const index = state.requests.findIndex((one) => one.id === id)
    if (index === -1) state.requests.push(card)
    // The same request again. Somebody may have changed the call meanwhile: then it has another id.
    else if (state.requests[index].request.requestId !== request.requestId) state.requests[index] = card
  }

  function settle(requestId, { state: outcome = 'answered', by }) {
    const card = state.requests.find((one) => one.id === idOf(requestId))
    if (card === undefined || card.state === 'settled') return
    Object.assign(card, { state: 'settled', outcome, by: by ?? undefined })
  }

  function finish() {
    for (const card of state.requests) {
      if (card.state !== 'settled') Object.assign(card, { state: 'settled', outcome: 'ended', by: undefined })
      add('note', settledText(card, words()))
    }
    state.requests = []
  }

  return {
    state,
    say(message) {
      add('user', message)
      return follow(client.chat({ sessionId: session, message, ...connection }))
    },
    async decide(card, { optionId, feedback = null, answers }) {
      card.state = 'sending'
      card.problem = ''
      try {
        const receipt = await client.respond({
          sessionId: session,
          requestId: card.request.requestId,
          selectedOptionId: optionId,
          feedback,
          ...(answers === undefined ? {} : { data: { answers } }),
        })
        if (!receipt.success) card.problem = receipt.message
      } catch (error) {
        card.problem = error instanceof Error ? error.message : String(error)
      }
      // What was decided is told by the stream; a vote, or a refusal, leaves it open.
      if (card.state === 'sending') card.state = 'open'
    },
    /** After the page was loaded again: what was said, and what goes on. */
    async takeUp() {
      try {
        const { messages, running } = await client.messages(session, { signal: stop.signal })
        for (const message of messages) add(...lineOf(message, words()))
        state.isOver = messages.at(-1)?.status === 'terminated'
        if (running !== null) await follow(client.follow({ sessionId: session, ...connection }))
      } catch (error) {
        if (!stop.signal.aborted) fail(error)
      }
    },
    close: () => stop.abort(),
  }
}

/** The id without what stands for a changed call. */
function idOf(requestId) {
  return requestId.split('.')[0]
}

export function settledText({ request, outcome, by }, words) {
  const state = words.states[outcome] ?? outcome
  return `${request.context.toolName}: ${state}${by === undefined ? '' : words.by(by)}`
}

function lineOf({ role, content, turnId: turn, toolCalls = [], name, outcome }, words) {
  switch (role) {
    case 'user':
      return ['user', content, { turn }]
    case 'assistant':
      return [toolCalls.length === 0 ? 'answer' : 'thinking', content, { turn }]
    case 'tool':
      return [
        'tool',
        words.toolDone(name, outcome === 'ran' || outcome === 'answered'),
        { turn, code: content },
      ]
    default:
      return ['note', content, { turn }]
  }
}

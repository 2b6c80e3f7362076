import type { ChatPageWords } from './words.ts'

export const CHAT_ENGLISH: ChatPageWords = {
  title: 'Chat',
  list: 'Conversations',
  fresh: 'New conversation',
  freshButton: 'New',
  none: 'You have not talked to the agent yet.',
  older: 'Show older ones',
  waiting: (count) => (count === 1 ? '1 needs you' : `${count} need you`),
  choose: 'Choose a conversation, or start a new one.',
  back: 'Conversations',
  noAgent: {
    title: 'There is no agent to talk to',
    explain: 'This server only handles approvals for other agents. It can also run its own agent:',
    steps: [
      'To try it without a model: start the server with `banksman start --demo`.',
      'With a model: set ANTHROPIC_API_KEY, OPENAI_BASE_URL or OLLAMA_HOST and start the server again.',
      'Or name a model under `agent:` in banksman.yaml, and run `banksman trust`.',
    ],
  },
  agent: (name, model, tools) => `${name} · ${model} · ${tools} tools`,
  begin: 'Say what you want done. Anything that needs your approval will appear here.',
  erased: 'Earlier messages were erased after their retention time.',
  transcript: 'Conversation',
  newBelow: '↓ New below',
  lost: 'Connection lost. Anything missed will appear when it is back.',
  you: 'You',
  steering: 'while it was working',
  resumed: 'The agent was restarted and continues.',
  thinking: 'Thinking…',
  thoughts: 'Reasoning',
  asked: 'Waiting for the model…',
  cut: 'The answer was cut off here.',
  gap: '… (the beginning appears when the answer is complete)',
  retry: (seconds, attempt, of) =>
    `No answer from the model. Trying again${seconds === 0 ? '' : ` in ${seconds} s`} (${attempt} of ${of})`,
  stage: {
    proposed: 'requested',
    waiting: 'needs your approval',
    running: 'running…',
    finished: 'done',
    failed: 'failed',
    refused: 'did not run',
    answered: 'answered',
    left: 'stopped',
  },
  seconds: (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`),
  result: 'Result',
  resultLines: (count) => `Result, ${count} lines`,
  arguments: 'Arguments',
  unreadable: 'The model sent this instead of arguments:',
  answeredBy: (who) => `${who} answered instead of the tool`,
  refusedBy: (who) => `by ${who}`,
  replacedBy: (hook) => `result from hook ${hook}`,
  openRequest: 'Open the request',
  helper: 'Started another agent',
  helperWork: 'What the other agent did',
  helperGone: 'There is no record of it.',
  usage: ({ inputTokens, outputTokens }, steps) =>
    `${steps} ${steps === 1 ? 'step' : 'steps'} · ${inputTokens} tokens in, ${outputTokens} out`,
  turnEnded: (status) => `Turn ended: ${status}`,
  interrupted: (who, how) => (how === 'hard' ? `${who} stopped it.` : `${who} stopped it after this step.`),
  failed: (stage) => `Something failed (${stage})`,
  barred: (who) => `${who} blocked calls of this kind here:`,
  shownBy: (tool) => `Shown by ${tool}`,
  box: {
    agent: 'Talk to',
    label: 'Message to the agent',
    placeholder: 'Message the agent',
    hint: 'Enter sends, Shift+Enter starts a new line.',
    send: 'Send',
    busy: {
      steer: {
        placeholder: 'Message the agent',
        hint: (waitsFor) => `${doing(waitsFor)} It reads your message before its next step.`,
        send: 'Send',
      },
      interrupt: {
        placeholder: 'Say what to do next',
        hint: (waitsFor) => `${doing(waitsFor)} Your message interrupts it.`,
        send: 'Send',
      },
    },
    over: 'This conversation has ended. Start a new one to continue.',
  },
  stop: { graceful: 'Stop after this step', hard: 'Stop now', about: (effect) => `Stop now: ${effect}` },
  mishap: {
    say: 'Not sent:',
    stop: 'Not stopped:',
    mode: 'The mode was not changed:',
    end: 'The session was not ended:',
    close: 'The session was not closed:',
  },
  maybeSent:
    'The server did not answer. Your message may have arrived: check above before you send it again.',
  session: {
    open: (mode) => `Mode: ${mode}`,
    title: 'This session',
    asPolicy: 'set by policy',
    noneOfItsOwn: 'No mode is set for this session, so the mode of the policy applies.',
    mode: 'What runs without approval',
    current: 'now',
    notAllowed: 'Not allowed here. An admin can add it to `modes` in banksman.yaml.',
    notYours: 'Only the owner of the session or an admin can change it.',
    setBy: (who, when) => `Set by ${who}, ${when}`,
    names: {
      default: 'Default',
      acceptEdits: 'Accept edits',
      plan: 'Plan',
      dontAsk: "Don't ask",
      bypass: 'Bypass',
    },
    modes: {
      default: 'Everything that no rule allows or denies needs your approval.',
      acceptEdits: 'File edits in the workspace run without approval. The rest needs your approval.',
      plan: 'Read only: reading in the workspace is allowed, everything else is denied.',
      dontAsk: 'Nobody is asked. Everything that no rule allows is denied.',
      bypass: 'Everything runs without approval, unless a rule denies it or requires approval.',
    },
    sure: {
      acceptEdits:
        'File edits in the workspace run at once, and nobody reviews them first. Commands and everything else still need approval unless a rule allows them. This stays until you change it.',
      dontAsk:
        'You will not be asked again in this session. Everything that no rule allows is denied at once, and the agent may not finish its task.',
      bypass:
        'Commands, file edits and network access run at once, and nobody reviews them first. Only rules that deny or require approval still apply. This stays until you change it.',
    },
    confirm: (mode) => `Yes, set ${mode}`,
    cancel: 'Cancel',
    close: 'Close',
    endSure:
      "This ends the session and every session it started. Pending requests are cancelled, and running calls are told to stop. It can't be undone.",
    endedBy: (who, when) => `Ended by ${who}, ${when}`,
  },
}

function doing(waitsFor: 'approval' | 'answer' | undefined): string {
  if (waitsFor === undefined) return 'The agent is working.'
  return waitsFor === 'answer' ? 'The agent is waiting for an answer.' : 'The agent is waiting for approval.'
}

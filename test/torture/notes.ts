/**
 * What the documentation of a framework says about a case, and what a program has to see to itself. Written by hand; what happened is
 * measured. Where a framework makes no such promise, the cell says so.
 */
export interface Note {
  /** What a wrong cell says beside what went wrong, where the framework makes no such promise. */
  excuse?: string
  text: string
}

const AI_SDK = 'https://ai-sdk.dev/docs/agents/tool-approvals#security-considerations'
const LANGGRAPH = 'https://docs.langchain.com/oss/javascript/langgraph/durable-execution'
const LANGCHAIN = 'https://docs.langchain.com/oss/javascript/langchain/human-in-the-loop'
const OPENAI = 'https://openai.github.io/openai-agents-js/guides/human-in-the-loop'
const MASTRA = 'https://mastra.ai/docs/agents/agent-approval'
const ADK = 'https://google.github.io/adk-docs/tools-custom/confirmation/'

const NO_TIME: Note = {
  excuse: 'no notion of a time limit',
  text: 'An approval can be given at any time: none of the five has a time limit. A program that wants one has to check it before it goes on.',
}
const NO_WHO: Note = {
  excuse: 'no notion of who',
  text: 'None of the five has a notion of who answers: whoever reaches the function that goes on can approve. The program has to check who it is.',
}

const notPromised = (text: string): Note => ({ excuse: 'not promised', text })
const remark = (text: string): Note => ({ text })

/** By framework and case, for the framework's own approvals. */
export const NOTES: Record<string, Record<string, Note>> = {
  'ai-sdk': {
    'two processes resuming': notPromised(
      `The AI SDK keeps nothing between two requests, and says so ([source](${AI_SDK})). To go on only once, the program needs a lock of its own.`,
    ),
    'arguments changed after approval': remark(
      `With \`experimental_toolApprovalSecret\`, as its documentation advises for tools that do something ([source](${AI_SDK})).`,
    ),
    'forged approval': remark(
      `With \`experimental_toolApprovalSecret\` ([source](${AI_SDK})). The signature shows that the server asked. It doesn't show that a person answered.`,
    ),
    'kill inside the tool': notPromised(
      `The AI SDK keeps nothing between two requests ([source](${AI_SDK})): it doesn't know that the tool had begun.`,
    ),
    'answer after the time limit': NO_TIME,
    'wrong person': NO_WHO,
  },
  langchain: {
    'double answer': remark(
      `Decisions go by their position in the interrupt, which doesn't name the call ([source](${LANGCHAIN})). The program has to compare the interrupt's id with the one that the person saw.`,
    ),
    'two processes resuming': notPromised(
      `LangGraph asks for steps that may run again: “deterministic and idempotent” ([source](${LANGGRAPH})). A checkpointer doesn't lock a thread.`,
    ),
    'arguments changed after approval': notPromised(
      "The change was made in the checkpointer's database, which belongs to the program. LangChain doesn't compare what was approved with what runs.",
    ),
    'forged approval': notPromised(
      "Made with `updateState`, which belongs to the program. A checkpoint doesn't say who approved.",
    ),
    'kill inside the tool': notPromised(
      `LangGraph runs an unfinished step again, and asks for steps that may run again ([source](${LANGGRAPH})).`,
    ),
    'one rejection among siblings': remark(
      "After one rejection the approved calls don't run, and the model gets no result for them ([langchainjs#11125](https://github.com/langchain-ai/langchainjs/issues/11125)).",
    ),
    'answer after the time limit': NO_TIME,
    'wrong person': NO_WHO,
  },
  'openai-agents': {
    'two processes resuming': notPromised(
      `The program keeps the \`RunState\` and decides who goes on with it ([source](${OPENAI})).`,
    ),
    'arguments changed after approval': remark(
      "The SDK binds an approval to the arguments, in the same state. The state isn't signed.",
    ),
    'forged approval': notPromised(
      `The approval is a part of the \`RunState\`, which the program keeps and which isn't signed ([source](${OPENAI})).`,
    ),
    'kill inside the tool': notPromised(
      `The state is saved when a run ends ([source](${OPENAI})): it doesn't say that the tool had begun.`,
    ),
    'answer after the time limit': NO_TIME,
    'wrong person': NO_WHO,
  },
  mastra: {
    'two processes resuming': notPromised(
      `Mastra resumes from the snapshot of the suspended run ([source](${MASTRA})) and says nothing about two that do so at once.`,
    ),
    'arguments changed after approval': notPromised(
      "The change was made in the storage, which belongs to the program. Mastra doesn't compare what was approved with what runs.",
    ),
    'forged approval': notPromised(
      "Made in the storage, which belongs to the program. A snapshot doesn't say who approved.",
    ),
    'kill inside the tool': notPromised(
      `The snapshot is that of the suspended run ([source](${MASTRA})): it doesn't say that the tool had begun.`,
    ),
    'answer after the time limit': NO_TIME,
    'wrong person': NO_WHO,
  },
  adk: {
    'two processes resuming': notPromised(
      `A confirmation is a message of the user ([source](${ADK})). The kit says nothing about the same one being sent twice at once.`,
    ),
    'arguments changed after approval': notPromised(
      "The change was made in the session's database, which belongs to the program. The kit doesn't compare what was confirmed with what runs.",
    ),
    'forged approval': notPromised(
      "Made in the session's database, which belongs to the program. A confirmation doesn't say who gave it.",
    ),
    'kill inside the tool': notPromised(
      `The program sent the confirmation again ([source](${ADK})). The session doesn't say that the tool had begun.`,
    ),
    'answer after the time limit': NO_TIME,
    'wrong person': NO_WHO,
  },
}

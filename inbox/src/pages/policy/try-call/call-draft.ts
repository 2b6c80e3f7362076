/** A call that somebody makes up to see what the policy says of it. */
import type { CallToExplain, JsonObject, WirePolicy } from '../../../../../src/client/index.ts'
import { fromEditableJson, toEditableJson } from '../../../decide/edit/draft/editable-json.ts'

export interface CallDraft {
  tool: string
  /** `plain`: only the argument that the tool is mainly about. */
  form: 'plain' | 'json'
  plain: string
  json: string
  cwd: string
  /** Empty: the policy's own. */
  mode: string
}

export type DraftedCall =
  | { kind: 'call'; call: CallToExplain }
  /** `detail`: where the text can't be read. */
  | { kind: 'mistake'; about: 'tool' | 'arguments'; detail?: string }

type Tools = WirePolicy['tools']

/** The argument that the tool is mainly about, where the policy knows. */
export function mainArgument(tool: string, tools: Tools): string | undefined {
  return tools.find(({ name }) => name === tool.trim())?.argument
}

/** Where it is not known what the tool is about, all arguments must be written. */
export function formOf({ tool, form }: Pick<CallDraft, 'tool' | 'form'>, tools: Tools): CallDraft['form'] {
  return mainArgument(tool, tools) === undefined ? 'json' : form
}

export function callOf(draft: CallDraft, tools: Tools): DraftedCall {
  const tool = draft.tool.trim()
  if (tool === '') return { kind: 'mistake', about: 'tool' }
  const args = argumentsOf(draft, tools)
  if (typeof args === 'string') return { kind: 'mistake', about: 'arguments', detail: args }
  const cwd = draft.cwd.trim()
  return {
    kind: 'call',
    call: {
      tool,
      arguments: args,
      ...(cwd === '' ? {} : { cwd }),
      ...(draft.mode === '' ? {} : { mode: draft.mode }),
    },
  }
}

/** The plain field as JSON, for who wants to write the other arguments too. */
export function asJson({ tool, plain, json }: CallDraft, tools: Tools): string {
  const main = mainArgument(tool, tools)
  return main === undefined || plain === '' ? json : toEditableJson(ownMember(main, plain))
}

/** A text says why it can't be read. */
function argumentsOf(draft: CallDraft, tools: Tools): JsonObject | string {
  const main = mainArgument(draft.tool, tools)
  if (main !== undefined && draft.form === 'plain') return ownMember(main, draft.plain)
  const text = draft.json.trim()
  if (text === '') return {}
  try {
    return fromEditableJson(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Also where the name is one that objects have anyway. */
function ownMember(name: string, value: string): JsonObject {
  return Object.fromEntries([[name, value]])
}

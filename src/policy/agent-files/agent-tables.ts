/** Every coding agent that is known. Room for more: one file each in `agents/`. */
import type { CodingAgentTable } from './agent-table.ts'
import { ACP_EDITORS } from './agents/acp-editors.ts'
import { CLAUDE_CODE } from './agents/claude-code.ts'
import { CLAUDE_DESKTOP } from './agents/claude-desktop.ts'
import { CLINE } from './agents/cline.ts'
import { CODEX } from './agents/codex.ts'
import { COPILOT } from './agents/copilot.ts'
import { CURSOR } from './agents/cursor.ts'
import { GEMINI_CLI } from './agents/gemini-cli.ts'
import { GOOSE } from './agents/goose.ts'
import { KIMI } from './agents/kimi.ts'
import { KIRO } from './agents/kiro.ts'
import { OPENCLAW } from './agents/openclaw.ts'
import { OPENCODE } from './agents/opencode.ts'
import { QWEN_CODE } from './agents/qwen-code.ts'
import { WINDSURF } from './agents/windsurf.ts'

export const CODING_AGENTS: readonly CodingAgentTable[] = [
  CLAUDE_CODE,
  CODEX,
  OPENCODE,
  GEMINI_CLI,
  COPILOT,
  QWEN_CODE,
  ACP_EDITORS,
  CURSOR,
  KIRO,
  CLINE,
  GOOSE,
  OPENCLAW,
  KIMI,
  CLAUDE_DESKTOP,
  WINDSURF,
]

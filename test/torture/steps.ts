/** What a case does with a contestant, as data, so that each part can run in a process of its own. */
import type { Answer, ScriptedCall, Turn } from './contestant.ts'

export type Step =
  | { do: 'start' }
  | { do: 'answer'; answers: Record<string, Answer>; by?: string }
  | { do: 'goOn' }
  | { do: 'tamper'; callId: string; to: string }
  | { do: 'forge'; call: ScriptedCall }
  /** Until the time that people had to answer is over; nothing where there is no such time. */
  | { do: 'expire'; callId: string }
  /** Kills this process. */
  | { do: 'die' }

/** What one process is told. */
export interface Orders {
  framework: string
  withBanksman: boolean
  folder: string
  turns: Turn[]
  steps: Step[]
  /** How long people have to answer. */
  expiresIn?: string
  /** Inside the tool, after its effect: kill the process, or stay until the file `released` is there. */
  inTool?: 'die' | 'hold'
}

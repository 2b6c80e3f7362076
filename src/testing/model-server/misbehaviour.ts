/** What servers of models do on bad days, as orders to the model server. */

export type Misbehaviour =
  /** An error instead of an answer. `retryAfter` is the header as it stands there. */
  | { kind: 'status'; status: number; message?: string; retryAfter?: string; code?: string }
  /** Something that is no JSON at all, as proxies send it. */
  | { kind: 'page'; status: number }
  | { kind: 'redirect'; to: string }
  /** Takes the question and never answers. */
  | { kind: 'hang' }
  /** Answers, and after so many frames sends nothing more. */
  | { kind: 'stall'; afterFrames: number }
  /** Answers, and after so many frames the connection breaks. */
  | { kind: 'drop'; afterFrames: number }
  /** Answers, and after so many frames ends as if that were all. */
  | { kind: 'cut_short'; afterFrames: number }
  /** Answers, and after so many frames reports an error inside of the answer. `lingers`: and does not end it then. */
  | { kind: 'error_frame'; afterFrames: number; type?: string; message?: string; lingers?: true }
  /** Answers, and one frame is not JSON. */
  | { kind: 'garbage_frame'; afterFrames: number }

/** How an answer goes over the wire. None of it changes what it says. */
export interface WireHabits {
  /** All calls of an answer are `call_0`, and in every answer again. */
  reuseCallIds?: boolean
  /** How many characters of a call's arguments go into one frame. Absent: 7. */
  fragmentLength?: number
  /** How many bytes go out in one write, wherever that cuts. Absent: a frame each. */
  writeBytes?: number
}

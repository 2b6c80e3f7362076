/** What a look at the server behind a store found: its version, its durability, its clock. For `banksman doctor`. */
export interface StoreFinding {
  kind: 'ok' | 'warning' | 'problem'
  /** What was looked at. */
  about: string
  detail: string
  /** What to do. */
  advice?: string
}

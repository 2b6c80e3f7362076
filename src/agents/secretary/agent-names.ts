/** The names that the secretary's agents have in the session host: what works in folders, and what people talk to. */
export const CODER = 'coder'
export const SECRETARY = 'secretary'

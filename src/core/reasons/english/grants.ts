/** What a grant lets through, and why a call runs that a grant lets through. */
export const GRANTS = {
  'grant.exact': 'exactly this call, with the same arguments in the same folder',
  'grant.this-call': 'exactly this call',
  'grant.commands': '`{commands}` with any arguments in place of the star, on paths inside the workspace',
  'grant.hosts': '{tool} at {hosts}',
  'grant.path': '{tool} of {path}',
  'grant.folder': '{tool} of anything in {folder}',
  'grant.workspace': '{tool} of anything in the workspace',
  'grant.argument': '{tool} with {argument} and anything else',
  'grant.tool': '{tool} with any arguments',

  'allow.granted': 'Allowed: {grants}.',
  granted: '{by} approved {what}, {where}, on {at}',
  'granted.always': 'in every session',
  'granted.session': 'in this session',
  'granted.sessions': 'in session {session} and what it starts',
  'granted.until': '{where}, until {until}',
  'granted.once': '{where}, for one call',
  'granted.times': '{where}, for {count} calls',
} as const

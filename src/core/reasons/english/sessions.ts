/** What people can meet in Chat and with coding sessions. */
export const SESSIONS = {
  'name.agent': 'the agent',
  'problem.no-session': 'there is no session `{id}`',
  'session.not-yours': 'session `{session}` belongs to someone else; use a session id of your own',
  'session.ended': 'session `{session}` was ended; nothing more runs in it',
  'session.ended-by': 'session `{session}` was ended by {by}; nothing more runs in it',
  'session.ended-because': 'session `{session}` was ended by {by}: {why}; nothing more runs in it',
  'session.silent': 'session `{session}` was ended; nothing more is said in it',
  'session.not-yours-unrun': 'session `{session}` belongs to someone else; nothing was run',
  'session.ended-unrun': 'session `{session}` was ended; nothing was run',
  'session.full':
    'session `{session}` already has {limit} requests waiting for a person; wait for some to be decided, or cancel them',
  'session.mode-of-owner': 'the mode of session `{session}` is set by its owner, {owner}, or an admin',
  'session.mode-not-allowed':
    'mode {mode} asks less than default, and the configuration does not allow it; to allow it, write modes: [{modes}] in banksman.yaml, or give that to openGateway',
  'session.kept-changing': 'the session kept changing while it was being ended; try again',
  'session.is-task': 'session `{session}` is a task of {parent}; talk to the agent there',
  'session.exists': 'session `{session}` exists already; open one with another name',
  'session.stopping':
    'a turn of session `{session}` was told to stop, and the process that runs it has not ended it yet; say it again in a moment',
  'session.other-agent':
    'session `{session}` is a conversation with agent `{agent}`; talk to `{wanted}` in another session',
  'session.no-agent': 'there is no agent `{agent}` here; there are: {agents}',
  'agents.none': 'none',
  'session.nobody':
    'there is nobody to talk to: no agent is configured here; `agent:` in the configuration file names one',
  'session.nobody-here':
    'there is nobody to talk to: no agent is configured here; `agent:` in the configuration file names one. Requests can be answered here all the same',
  'session.shutting-down': 'the server is shutting down; the turn goes on when it is back',

  'message.empty': 'text must be what you want to say to the agent; it is empty',
  'message.long': 'text is {length} characters long; the limit is {limit}',
  'media.long': 'the media item has {size} bytes; the limit is {limit}',
  'media.many': 'the session has {count} media items; the limit is {limit}',
  'media.none': 'there is no media `{id}` in this session',

  'coding.off': 'this server has no coding sessions; `secretary:` in the configuration file switches them on',
  'coding.none': 'there is no coding session `{id}`',
  'coding.many':
    '{owner} has {count} sessions open, and may have {limit} (secretary.sessionsPerPerson); close one first',
  'coding.no-agent': 'there is no agent `{agent}` that works in folders; there are: {agents}',
  'coding.everybody': 'only an administrator sees the sessions of everybody',
  'folder.unnamed': 'name a folder; sessions can work in {folders}',
  'folder.name': 'the name of the folder has a character that no path can have',
  'folder.none': 'there is no folder `{folder}`; sessions can work in {folders}',
  'folder.elsewhere': '{folder} is not a folder that sessions may work in; they can work in {folders}',
  'folder.own': "{folder} is a folder of Banksman's own; sessions can work in {folders}",
  'folder.has-own':
    "{folder} has a folder of Banksman's own in it ({own}); name a folder below it, or start the server with its data elsewhere (--data)",
  'folder.several': '{count} folders are called `{folder}`; name one by its path: {folders}',
  'folder.moved': '{folder} leads to {found} now, which is not where the session was started',
  'folders.none': 'none: no folder that the configuration names is there',
  'coding.busy': 'session `{session}` is changed by many at once',
} as const

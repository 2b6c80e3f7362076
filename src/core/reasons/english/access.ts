/** What people can meet when they log in, link accounts, set quiet hours or put a policy into force. */
export const ACCESS = {
  'access.login-used':
    'this login link was used, has expired or is unknown; make a new one with `banksman login`',
  'access.token-unknown':
    'this token is unknown, has expired or was revoked; make a new one with `banksman tokens create`, or log in again',
  'access.cookie-over': 'this cookie has expired or was revoked; log in again',
  'access.token-over': 'the token was revoked or has expired while this was waiting',
  'access.none': 'a credential is needed: send `Authorization: Bearer` and your token',
  'access.admin-only': "{what} needs an admin's credential; this one is an approver's",
  'access.no-token': 'there is no token `{id}`',
  'access.no-token-yours': 'there is no token `{id}` of yours',
  'access.not-from-login':
    'this token did not come from a login, so logging out leaves it as it is; `banksman tokens revoke {id}` revokes it',
  'access.page-of-others': 'a page of {origin} may not call this server; only its own pages may',

  'mcp.admin-accepts': 'only an administrator accepts what an MCP server has changed',
  'mcp.unknown': 'no MCP server or tool `{what}` was used yet',
  'mcp.state-unknown':
    'this requestState is not for this call, was used already, or is over; make the call again without it',
  'mcp.changed-again': 'the MCP server has changed this again since it was shown; look at it again',

  'account.code-over':
    'there is no such code of yours: it is over, or a newer one has taken its place. Make a new one',
  'account.has-one':
    '{service} account {account} is linked to you; a person has one account at a service, so unlink that one first',
  'account.many-codes': '{count} codes were made for you within an hour; wait a while',
  'account.code-unsent': 'nobody has sent the code to the bot yet',
  'account.other-sent': 'this is not the account that sent the code; look again',
  'account.credential-over': 'the credential that made this code is no longer valid; make a new code',
  'account.code-busy': 'a code changed {count} times while it was being changed; try again',
  'account.changed': 'somebody else has changed this link meanwhile; look again',
  'account.linked': 'this account is linked to {subject}; undo that first',
  'account.others': 'only an administrator links accounts of others, and only by an own credential',
  'account.others-seen': 'only an administrator sees the accounts of others',
  'account.configured': 'this account stands in the configuration file, at {place}; take it out there',
  'account.not-linked': 'no {service} account with this id is linked to you',
  'account.nobody':
    'this {service} account belongs to nobody here, so nothing was changed. Have it added to people: in the configuration, or link it',
  'account.no-chat': 'no chat `{service}` is configured here; there are: {known}',
  'test-card.over': 'there is no such test card of yours, or it is over',
  'test-card.many': '{count} test cards were sent to you within an hour; wait a while',
  'test-card.unlinked':
    'no {service} account is linked to you, so there is nowhere to send a test card; link one first',
  'quiet.times': 'from and to are times of the day, as in 22:00 and 07:30',
  'quiet.zone': 'zone must be the name of a time zone, as in Europe/Amsterdam',
  'quiet.changing': 'the quiet hours changed all the while; try again',
  'quiet.same': 'quiet hours must begin and end at different times; leave them out to have none',
  'push.off': 'this server sends no pushes; `push:` in its configuration switches them on',
  'demo.none': 'this server has no demonstration; it is started with: banksman start --demo',
  'demo.running':
    'the demonstration is still running: decide its requests, or stop it on the page Chat, and then run it again',

  'policy.admin-only': 'only a person with the role admin can put a policy into force',
  'policy.gone': '{file} is not there any more; look at it again',
  'policy.changed': '{file} has another text by now than the one that was shown; look at it again',
  'policy.several-servers':
    'this is one of {count} servers on the same store ({others} too), and each has a configuration file of its own; put the same text into the file of every one of them and run `banksman trust` there',
  'policy.no-trial': 'this server can not try policies out',
} as const

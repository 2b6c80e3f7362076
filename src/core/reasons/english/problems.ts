/** What people can meet when they decide: what was wrong, and what would be right. */
export const PROBLEMS = {
  'problem.changed': 'the request has changed since it was shown; reload it and decide again',
  'problem.others-decide':
    'you may see this request but not decide it: the rule `{rules}` names other approvers. It stays pending',
  'problem.decision': "this request doesn't take {decision}; it takes {allowed}",
  'problem.scope': "this request doesn't take the scope {scope}; it takes {allowed}",
  'problem.suggestion': 'the suggestion `{found}` is not offered on this request; it takes {allowed}',
  'problem.edit-denied': 'the policy denies the edited call: {why}',
  'problem.edit-others': 'only someone who may approve under every matching rule can edit this call',
  'problem.edit-ruled-out': 'the edited call falls under a rule that takes no edits',
  'problem.others-cancel': 'you may see this request but not cancel it',
  'problem.others-settle': 'you may not settle this request',
  'problem.others-grant': 'only who may decide a request may see what could be allowed with it',
  'problem.others-uncover': 'only who may decide a request may look under its masks',
  'problem.erased': 'the arguments were erased after their retention time',
  'problem.no-request': 'there is no request `{id}`',
  'problem.no-grant': 'there is no grant `{id}`',
  'problem.of-request': 'request {id}: {why}',
  'problem.nothing-decided': 'request {id}: {why}. Nothing was decided',
  'problem.kept-changing': 'the requests kept changing while they were being decided; try again',

  'problem.not-in-chat':
    "this can't be approved in a chat: {why}. Open it in the inbox to approve ({place}). It stays pending",
  'problem.uncover-one':
    'a value is hidden because of the name and may be more than a secret ({values}): open the request in the inbox ({place}) and uncover it, then approve. It stays pending',
  'problem.uncover':
    '{count} values are hidden because of the name and may be more than a secret ({values}): open the request in the inbox ({place}) and uncover it, then approve. It stays pending',
  'hidden.uncover-first': 'one of its values has to be uncovered first',
  'hidden.unknown-tool': 'one of its values is hidden, and its tool is not in the catalogue',

  'problem.edit-mask':
    'the edited value at {pointer} has a mask that was changed or comes from another place; leave a mask exactly as it is to keep the secret, or write a new value',
  'problem.edit-notation':
    "the edited value at {pointer} has `{part}`, which is how the screen shows what can't be seen or was left out; send the value itself",
  'problem.edit-deep': 'the edited value at {pointer} is nested deeper than {limit} levels',
  'problem.schema-unreadable':
    "the tool's schema can't be read, so edited arguments can't be checked against it: {why}",
  'problem.schema-misfit': "the edited arguments don't fit the tool's schema: {issues}",

  'problem.no-answer': 'question `{question}` has no answer',
  'problem.answer-long': 'text of `{question}` must be a text of at most {limit} characters',
  'problem.answer-options': "`{question}` takes one of its options, no text of one's own",
  'problem.answer-not-option': '`{found}` is not an option of `{question}`; the options are `{allowed}`',
  'problem.answer-one': '`{question}` takes one option; found {count}',
  'problem.words-long': '{field} must be a text of at most {limit} characters',

  'problem.not-recorded': "calls can't be recorded right now, so none are allowed: {why}",
  'problem.internal': 'something went wrong inside; the server has written down what',
  'problem.store': "the server's data can't be read or written right now; try again later ({why})",
  'problem.store-full': "the server's disk or database is full, so nothing can be written ({why})",
  'problem.store-broken': "the server's data can't be used; its administrator has to look ({why})",
  'problem.closing': 'the server is shutting down; try again when it is back ({why})',
  'problem.connections':
    'this credential already holds {limit} streams and sockets open; close some, or use one for all',
  'problem.door-busy': '{path} is serving {count} requests already; try again soon',
  'problem.body-long':
    'the body is larger than {limit} bytes, which is the limit. Put large content in a file that the tool reads',
} as const

/** What people can meet when they decide: what was wrong, and what would be right. */
export const PROBLEMS = {
  'problem.changed': 'the request has changed since it was shown; reload it and decide again',
  'problem.others-decide':
    'you may see this request but not decide it: the rule `{rules}` names other approvers. It stays pending',
  'problem.decision': "this request doesn't take {decision}; it takes {allowed}",
  'problem.scope': "this request doesn't take the scope {scope}; it takes {allowed}",
  'problem.edit-denied': 'the policy denies the edited call: {why}',
} as const

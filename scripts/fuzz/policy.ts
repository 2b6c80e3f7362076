/** The policy that is fuzzed: something of everything that looks at a call. */
export const POLICY = {
  extends: 'banksman:starter',
  deny: [
    '*_delete',
    'Bash(git push --force *)',
    'Read(./secrets/**)',
    'Edit(**/ci/*.y?ml)',
    'WebFetch(domain:evil.example)',
  ],
  ask: ['send_*', 'Bash(curl * http*)', 'Bash(* --prod*)'],
  allow: ['list_*', 'Bash(npm test *)', 'Bash(echo *)', 'Edit(./src/**)', 'WebFetch(*.example.com)'],
  rules: [
    {
      name: 'texts',
      when: {
        any: [
          { arguments: { '/text': { regex: '(a|aa)+b' } } },
          { arguments: { '/text': { glob: '*a*b*c*d*' } } },
          { arguments: { '/path': { path: '**/x/**/y*z' } } },
          { arguments: { '/url': { host: '*.internal.example' } } },
          { arguments: { '/amount': { gt: 100 } } },
        ],
      },
      then: 'ask',
      severity: 'high',
    },
    { name: 'where', when: { session: '*-prod-*', agent: '*a*b*', cwd: '/srv/**' }, then: 'ask' },
    { name: 'pipes', when: { command: ['sh -x *', 'sh *a*b*c*'] }, then: 'ask' },
  ],
}

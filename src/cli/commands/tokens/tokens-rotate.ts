/** `banksman tokens rotate` */
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS } from '../../connection/connect.ts'
import { giveSecret } from './tokens-create.ts'

export const tokensRotate = defineCommand({
  about: `Creates a new token for the same subject, with the same role, scope and time left, prints its secret once, and revokes the old
one. What the old one asked goes on.`,
  positionals: [{ name: 'id', required: true }],
  options: {
    output: { kind: 'text', value: 'FILE', about: 'write the secret to a new file that only you can read' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    {
      line: 'banksman tokens rotate tok_01hx… --output builder-token',
      about: 'its id is in `banksman tokens list`',
    },
  ],
  run: ({ values, positionals: [id = ''] }, context) =>
    giveSecret(values, context, (client) => client.tokens.rotate(id)),
})

/** `banksman nodes` */
import type { WireNode } from '../../client/index.ts'
import { defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../connection/connect.ts'
import { EXIT } from '../output/failures.ts'
import { safeJson, visible } from '../output/safe-text.ts'

export const nodes = defineCommand({
  about: `Lists the servers that run on the same store, with the version and the policy of each. A server that was killed stays listed for up
to half a minute. The one that answers is marked with *.

Each server reports its own address: 127.0.0.1 means its own machine.`,
  options: { ...JSON_OPTION, ...CONNECTION_OPTIONS },
  examples: [{ line: 'banksman nodes', about: 'list all servers on the store' }],
  async run({ values }, context) {
    const { terminal } = context
    const { items } = await (await connect(values, context)).nodes()
    if (values.json) terminal.print(safeJson({ items }, 2))
    else for (const node of items) terminal.print(lineOf(node))
    return EXIT.done
  },
})

function lineOf({ self, id, url, version, policyVersion, owner, startedAt }: WireNode): string {
  const parts = [
    self ? '*' : ' ',
    id,
    url,
    `version ${version}`,
    `policy ${policyVersion.slice(0, 12)}`,
    `owner ${owner}`,
    `since ${startedAt.slice(0, 19).replace('T', ' ')}`,
  ]
  return parts.map(visible).join('  ')
}

/** A program that runs one query behind a guard, to be killed: `claude-host.ts <options as JSON>`. It says when a person is asked. */
import { query } from '@anthropic-ai/claude-agent-sdk'
import { openGateway } from 'banksman'
import { banksman } from 'banksman/claude-agent-sdk'

const { store, prompt, ...options } = JSON.parse(process.argv[2] ?? '{}')
const gateway = await openGateway({ store, policy: { ask: ['*'] }, owner: 'ana' })
const gate = banksman(gateway, { session: 'chat-7', onAsked: () => console.log('asked') })
for await (const _ of query({ prompt, options: { ...options, ...gate } }));

import type { WireMcpServers } from '../../../../src/client/index.ts'
import { translatedWords } from '../../words/translated-words.ts'

export type McpGap = NonNullable<WireMcpServers['gaps']>[number]

interface McpWords {
  about: string
  firstUse: string
  program: string
  since: string
  tools(count: number): string
  noTools: string
  changes(count: number): string
  /** How many requests wait because of a change. */
  waiting(count: number): string
  definition: string
  noDefinition: string
  change: {
    program: string
    tool(name: string): string
    programMeans: string
    toolMeans: string
    since(when: string): string
    tooLong: string
    accept: string
    confirm: string
    explain: string
    others: string
    accepted: string
  }
  none: { title: string; explain: string; steps: readonly string[]; guide: string }
  /** Servers in the files of clients whose calls pass by, or may. */
  gaps: {
    title(count: number): string
    of(server: string, client: string): string
    states: Record<McpGap['state'], string>
    mend: string
    correct: string
    about: string
    failed: string
  }
}

export const MCP_WORDS = translatedWords<McpWords>(
  {
    about: 'The MCP servers that were used through Banksman, and their tools.',
    firstUse:
      "Banksman remembers each server's program or address, and how it describes each tool, as they were at first use. If one of them changes later, its calls aren't allowed by rules or grants any longer: each needs approval until an administrator accepts the change.",
    program: 'Program or address',
    since: 'Known since',
    tools: (count) => (count === 1 ? '1 tool used so far' : `${count} tools used so far`),
    noTools: 'None of its tools was used yet.',
    changes: (count) => (count === 1 ? '1 change to review' : `${count} changes to review`),
    waiting: (count) =>
      count === 1
        ? '1 request is waiting because of a change'
        : `${count} requests are waiting because of a change`,
    definition: "The server's own words",
    noDefinition: 'The server said nothing of this tool.',
    change: {
      program: 'The program or address has changed',
      tool: (name) => `The definition of ${name} has changed`,
      programMeans:
        'This name now stands for another program or address. Until the change is accepted, each call to this server needs approval.',
      toolMeans:
        'Both the model and you rely on this description. Until the change is accepted, each call of this tool needs approval.',
      since: (when) => `Changed ${when}`,
      tooLong: "This page can't show texts of this length. Look at the server's own list of tools.",
      accept: 'Accept the change',
      confirm: 'Accept it',
      explain:
        'Rules and grants can allow its calls again. Accept it only if you know why it changed: a server can be taken over by an update.',
      others: 'Only an administrator can accept this. Until then, requests can be approved one by one.',
      accepted: 'Accepted. Rules and grants apply again.',
    },
    none: {
      title: 'No MCP server yet',
      explain:
        'Put Banksman in front of an MCP server, and each call of its tools is checked by your policy. A server is listed here after its first call.',
      steps: [
        'For all servers of a client: `banksman connect claude-code --mcp` (or `claude-desktop`, `cursor`, `vscode`, `codex`, …)',
        'For one server: `banksman mcp --name files -- npx -y @modelcontextprotocol/server-filesystem .`',
      ],
      guide: 'The guide “MCP servers, with approvals” (`docs/guide/mcp.md`) says more.',
    },
    gaps: {
      title: (count) =>
        count === 1
          ? 'Calls of 1 MCP server may go past Banksman'
          : `Calls of ${count} MCP servers may go past Banksman`,
      of: (server, client) => `${server} in ${client}`,
      states: {
        lost: 'It was behind Banksman, and the client now starts it directly: nobody checks its calls.',
        changed: 'The proxy in front of it is not as it was set up.',
        unwrapped: 'It was never put behind Banksman: nobody checks its calls.',
        unknown: "The file can't be read, so it is not known whether it is still behind Banksman.",
      },
      mend: 'Run this where the Banksman server runs:',
      correct: 'Correct the file. Then run this where the Banksman server runs:',
      about:
        'From the files of MCP clients on the machine of the Banksman server, checked at most twice a minute. `banksman doctor` checks them too.',
      failed: 'The files of MCP clients on the machine of the Banksman server could not be checked:',
    },
  },
  {
    about: '通过 Banksman 使用过的 MCP 服务器及其工具。',
    firstUse:
      '首次使用时，Banksman 会记下服务器的程序或地址，以及服务器对每个工具的说明。之后如有变化，规则和授权不再放行相关调用：每次都需要审批，直到管理员接受变化。',
    program: '程序或地址',
    since: '记录于',
    tools: (count) => `已使用过 ${count} 个工具`,
    noTools: '还没有使用过它的工具。',
    changes: (count) => `${count} 处变化待查看`,
    waiting: (count) => `有 ${count} 个请求因变化而等待审批`,
    definition: '服务器提供的说明（原文）',
    noDefinition: '服务器没有说明这个工具。',
    change: {
      program: '程序或地址已变化',
      tool: (name) => `${name} 的定义已变化`,
      programMeans: '这个名称下现在是另一个程序或地址。接受之前，对该服务器的每次调用都需要审批。',
      toolMeans: '模型和您都靠服务器的说明来了解这个工具。接受变化之前，对该工具的每次调用都需要审批。',
      since: (when) => `变化于 ${when}`,
      tooLong: '内容过长，无法在此显示。请查看服务器自己的工具列表。',
      accept: '接受变化',
      confirm: '确认接受',
      explain:
        '规则和授权将可以重新放行相关调用。请弄清变化的原因后再接受：服务器可能因一次更新而被他人控制。',
      others: '只有管理员可以接受变化。在此之前，可以逐个审批请求。',
      accepted: '已接受。规则和授权重新生效。',
    },
    none: {
      title: '还没有 MCP 服务器',
      explain:
        '把 Banksman 放在 MCP 服务器之前，其工具的每次调用都会按您的策略检查。首次调用之后，服务器会列在这里。',
      steps: [
        '接入某个客户端的全部服务器：`banksman connect claude-code --mcp`（也可以是 `claude-desktop`、`cursor`、`vscode`、`codex` 等）',
        '接入单个服务器：`banksman mcp --name files -- npx -y @modelcontextprotocol/server-filesystem .`',
      ],
      guide: '详见指南 `docs/guide/mcp.md`（英文）。',
    },
    gaps: {
      title: (count) => `${count} 个 MCP 服务器的调用可能绕过 Banksman`,
      of: (server, client) => `${client} 中的 ${server}`,
      states: {
        lost: '原先由 Banksman 检查，现在客户端直接启动它，其调用不再经过检查。',
        changed: '启动它的命令与接入时的设置不一致。',
        unwrapped: '从未接入 Banksman，其调用不经过检查。',
        unknown: '文件无法读取，不能确定它是否仍由 Banksman 检查。',
      },
      mend: '请在 Banksman 服务器所在的机器上执行：',
      correct: '请先修正该文件，再在 Banksman 服务器所在的机器上执行：',
      about:
        '结果来自 Banksman 服务器所在机器上各 MCP 客户端的配置文件，最多每半分钟检查一次；`banksman doctor` 也会检查。',
      failed: '无法检查 Banksman 服务器所在机器上 MCP 客户端的配置文件：',
    },
  },
)

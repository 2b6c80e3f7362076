import { translatedWords } from '../../words/translated-words.ts'

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
}

export const MCP_WORDS = translatedWords<McpWords>(
  {
    about: 'The MCP servers that were used through Banksman, and their tools.',
    firstUse:
      "Banksman remembers each server's program or address, and what the server says of each tool, as they were at first use. If one of them changes later, its calls aren't allowed by rules or grants any longer: each needs approval until an administrator accepts the change.",
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
        'This name stands for something else now. Until the change is accepted, each call to this server needs approval.',
      toolMeans:
        'The model and you go by what the server says of its tool. Until the change is accepted, each call of this tool needs approval.',
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
  },
)

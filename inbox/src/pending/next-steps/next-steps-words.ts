import { translatedWords } from '../../words/translated-words.ts'

/** What stands between backticks is code. */
export interface NextStep {
  title: string
  text: string
  /** To be typed in a terminal, a line each. */
  commands: readonly string[]
  more: string
}

export interface NextStepsWords {
  title: string
  where: string
  demonstration: {
    title: string
    ready: string
    running: string
    run: string
    starting: string
    open: string
    command: string
  }
  connect(url: string): NextStep
  invite: NextStep
  policy: NextStep & { page: string }
}

/** What an agent of one's own sends. The token is made by the first command. */
const callCommand = (url: string) =>
  `curl -s '${url}v1/calls?hold=25s' -H "authorization: Bearer $(cat my-agent-token)" -H 'content-type: application/json' -d '{"tool": "send_mail", "arguments": {"to": "ana@example.com"}, "callId": "call-1", "session": "first-try"}'`

const TOKEN_COMMAND = 'npx banksman tokens create --role agent --subject my-agent --output my-agent-token'
const POLICY_COMMANDS = ['npx banksman policy init', 'npx banksman policy check', 'npx banksman trust']

export const NEXT_STEPS_WORDS = translatedWords<NextStepsWords>(
  {
    title: 'What to do next',
    where: 'Run the commands in the folder where you started the server.',
    demonstration: {
      title: 'The demonstration',
      ready:
        'Its agent makes one call that is allowed, one that is denied and three that need your approval.',
      running: 'It is running. Its requests appear here.',
      run: 'Run it again',
      starting: 'Starting…',
      open: 'Talk to its agent',
      command: 'In a terminal: `npx banksman demo`',
    },
    connect: (url) => ({
      title: 'Connect an agent',
      text: 'Claude Code, Codex or opencode: run `npx banksman connect claude-code` (or `codex`, `opencode`). An agent of your own: make a token for it, and try a call as it would make one. The request appears here.',
      commands: [TOKEN_COMMAND, callCommand(url)],
      more: 'For the AI SDK, LangChain and the Claude Agent SDK see `docs/guide/frameworks.md`; for the server’s own agent, `docs/guide/chat.md`.',
    }),
    invite: {
      title: 'Invite a colleague',
      text: 'This prints a login link for a colleague, here called ben. It works once, within 15 minutes.',
      commands: ['npx banksman login --subject ben --new'],
      more: 'The server listens on this machine only. To let others reach it, put a proxy with TLS in front of it: `names` and `proxy` in `docs/reference/configuration.md`.',
    },
    policy: {
      title: 'Write a policy',
      text: 'Start from a ready-made one, check it, and let it take effect.',
      commands: POLICY_COMMANDS,
      more: '`docs/guide/first-policy.md` explains it step by step.',
      page: 'See the policy in force',
    },
  },
  {
    title: '接下来可以做什么',
    where: '请在启动服务器的文件夹中运行这些命令。',
    demonstration: {
      title: '演示',
      ready: '演示智能体会发起一个直接允许的调用、一个被禁止的调用，以及三个需要您审批的调用。',
      running: '演示正在运行，请求会出现在这里。',
      run: '再运行一次',
      starting: '正在启动…',
      open: '和演示智能体对话',
      command: '在终端中：`npx banksman demo`',
    },
    connect: (url) => ({
      title: '接入智能体',
      text: '使用 Claude Code、Codex 或 opencode，请运行 `npx banksman connect claude-code`（或 `codex`、`opencode`）。接入自己的智能体，请先为它创建令牌，再像它那样发起一次调用，请求会出现在这里。',
      commands: [TOKEN_COMMAND, callCommand(url)],
      more: '使用 AI SDK、LangChain 或 Claude Agent SDK，请看 `docs/guide/frameworks.md`；使用服务器自带的智能体，请看 `docs/guide/chat.md`。',
    }),
    invite: {
      title: '邀请同事',
      text: '下面的命令会为同事（这里叫 ben）生成登录链接，15 分钟内有效，只能用一次。',
      commands: ['npx banksman login --subject ben --new'],
      more: '服务器只在本机监听。要让别人访问，请在前面架设带 TLS 的代理服务器：见 `docs/reference/configuration.md` 中的 `names` 和 `proxy`。',
    },
    policy: {
      title: '编写策略',
      text: '从现成的策略开始，检查无误后让它生效。',
      commands: POLICY_COMMANDS,
      more: '`docs/guide/first-policy.md` 有分步说明。',
      page: '查看当前策略',
    },
  },
)

import { afterAll, describe, expect, it } from 'vitest'
import { COMMANDS } from './command-tree.ts'
import { makeCliFolder } from './fixtures/program.ts'
import { runInProcess } from './fixtures/recording-terminal.ts'

const place = makeCliFolder()
afterAll(() => place.remove())
const run = (args: string[]) => runInProcess(args, place.folder, place.environment)

const names = Object.entries(COMMANDS).flatMap(([name, node]) => [
  name,
  ...Object.keys(node.members ?? {}).map((member) => `${name} ${member}`),
])

describe('help', () => {
  it('says what the program is and lists every command', async () => {
    const { code, stdout, stderr } = await place.run(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  })

  it('is there on every level, on standard output, without colours', async () => {
    for (const name of names) {
      const { code, stdout, stderr } = await run([...name.split(' '), '--help'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`banksman ${name}`)
      expect(stdout).toContain('Usage')
      expect(stdout).toContain('Examples')
      expect(stdout).not.toContain('\u001b')
    }
  })

  it('has text that is no wider than the rest, however it is written', async () => {
    for (const name of names) {
      const { stdout } = await run([...name.split(' '), '--help'])
      const [text = ''] = stdout.split(/^Options$/m)
      for (const line of text.split('\n')) expect([line, line.length <= 120]).toEqual([line, true])
    }
  })

  it('says what a command does where it is listed and in its examples', async () => {
    const top = (await run(['--help'])).stdout
    expect(top).toMatch(/^ {2}connect {2,}.* coding agent or of MCP servers/m)
    expect(top).toMatch(/^ {2}disconnect {2,}.* coding agent or from MCP servers/m)
    expect((await run(['requests', '--help'])).stdout).toMatch(/requests watch\n +requests of the server on/)
  })

  it('speaks plainly: no word that a stranger has to guess', async () => {
    const mannered =
      /unless given|goes on holding|no longer hold|\bgrave\b|worthless|fell silent|wait(?:s|ing)? for a person|be rid of/i
    const helps = await Promise.all(
      [[], ...names.map((name) => name.split(' '))].map((words) => run([...words, '--help'])),
    )
    for (const { stdout } of helps) expect(mannered.exec(stdout)?.[0]).toBeUndefined()
  })

  it('has an example and says what each option does, for every command', async () => {
    for (const node of Object.values(COMMANDS)) {
      const entries = [...(node.kind === 'command' ? [node] : []), ...Object.values(node.members ?? {})]
      for (const entry of entries) {
        const command = await entry.load()
        expect(command.examples.length).toBeGreaterThan(0)
        expect(command.about.length).toBeGreaterThan(80)
        for (const option of Object.values(command.options)) expect(option.about.length).toBeGreaterThan(5)
      }
    }
  })

  it('shows a command and the one below it', async () => {
    const { stdout } = await run(['--help'])
    expect(stdout).toMatch(/^ {2}chat +talk to the agent/m)
    expect(stdout).toMatch(/^ {2}chat add +set up Telegram, Feishu or Lark/m)
    expect((await run(['chat', '--help'])).stdout).toMatch(/^ {2}chat add +set up/m)
    expect((await run(['help', 'chat', 'add'])).stdout).toContain('banksman chat add [service] [options]')
  })

  it('is the same with `help` in front', async () => {
    const asked = await run(['help', 'requests', 'approve'])
    expect(asked).toEqual(await run(['requests', 'approve', '--help']))
    expect(asked.code).toBe(0)
  })
})

describe('what is not understood ends with 2', () => {
  it.each([
    [[], 'Commands'],
    [['requests'], 'Commands'],
    [['requets'], 'did you mean `banksman requests`?'],
    [['requests', 'aprove', 'x'], 'did you mean `banksman requests approve`?'],
    [['frobnicate'], 'the commands are start, chat, demo, requests, sessions, grants, policy'],
    [['--jsn'], 'unknown option "--jsn"'],
    [['start', '--prot', '1'], 'did you mean --port?'],
    [['start', '--port'], '--port needs a value'],
    [['start', '--port', '--demo'], '--port needs a value'],
    [['start', '--port', 'http'], 'from 0 to 65535'],
    [['start', '--port', '65536'], 'from 0 to 65535'],
    [['start', '--demo=yes'], '--demo takes no value'],
    [['start', '--port', '1', '--port', '2'], '--port is there twice'],
    [['start', 'now'], 'one argument too many'],
    [['requests', 'show'], '<id> is missing'],
    [['requests', 'list', '--state', 'pendng'], 'Did you mean pending?'],
    [['requests', 'list', '--limit', '0'], 'from 1 to 200'],
    [['requests', 'approve', 'req_1', '--digest', 'abc'], '64 hexadecimal digits'],
    [['requests', 'approve', 'req_1', '--digest', 'a'.repeat(64), '--yes'], 'either --digest or --yes'],
    [['requests', 'approve', 'req_1'], 'this needs a terminal'],
    [['requests', 'watch'], 'needs a terminal'],
    [['tokens', 'create', '--role', 'agent'], '--role and --subject are required'],
    [['tokens', 'create', '--role', 'root', '--subject', 'x'], 'one of agent, approver, admin'],
    [['tokens', 'create', '--role', 'agent', '--subject', 'x', '--expires-in', 'soon'], 'is not a duration'],
    [['policy', 'explain', '--tool', 'Bash', '--arguments', '{"a":1,"a":2}'], '--arguments'],
    [['policy', 'explain', '--tool', 'Bash', '--arguments', '[]'], 'must be a JSON object'],
    [['policy', 'explain', 'git status'], '--tool Bash'],
    [['policy', 'explain', 'x', '--tool', 'deploy'], 'which argument of deploy'],
    [['policy', 'explain', '--tool', 'x', '--mode', 'yolo'], 'acceptEdits'],
    [['policy', 'replay', '--days', '0'], 'from 1 to 365'],
    [['journal', 'verify', '--checkpoints', 'x'], '--checkpoints needs --key'],
    [['backup'], '<file> is missing'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  it('in a real process too, with nothing on standard output', async () => {
    const { code, stdout, stderr } = await place.run(['requests', 'aprove', 'x'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('did you mean `banksman requests approve`?')
  })

  it('says so in JSON where JSON was asked for', async () => {
    const { code, stderr } = await run(['requests', 'show', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'usage', message: '<id> is missing' } })
  })

  it('P9: an argument from who knows where can’t control the terminal through the message', async () => {
    const { stderr } = await run(['req\u001b[2Juests'])
    expect(stderr).not.toContain('\u001b')
  })
})

describe('a token as an argument is refused and not repeated', () => {
  const secret = `bmp_${'a'.repeat(43)}`

  it.each([
    [['requests', 'list', '--token', secret]],
    [['requests', 'list', '--url', `http://127.0.0.1:1/?token=${secret}`]],
    [['requests', 'show', secret]],
    [['requests', 'list', '--token-file', secret]],
  ])('%j', async (args) => {
    const { code, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stderr).toContain('a token must not be an argument')
    expect(stderr).toContain('BANKSMAN_TOKEN')
    expect(stderr).not.toContain(secret)
  })
})

describe('the program itself', () => {
  /** Node as an older one would describe itself. */
  const asNode = (version: string, more = '') => [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}});Object.defineProperty(process,'version',{value:'v${version}'});${more}`,
  ]

  it.each(['20.11.0', '22.12.0', '18.0.0'])(
    'on Node %s it says what it needs and ends with 1',
    async (version) => {
      const { code, stdout, stderr } = await place.run(['--help'], { nodeOptions: asNode(version) })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`Banksman needs Node 22.13 or newer; this is v${version}.`)
    },
  )

  it.each(['22.13.0', '22.20.1', '24.0.0', '100.1.0'])('on Node %s it runs', async (version) => {
    const { code, stdout } = await place.run(['--version'], { nodeOptions: asNode(version) })
    expect({ code, stdout: /^\d+\.\d+\.\d+/.test(stdout) }).toEqual({ code: 0, stdout: true })
  })

  it('hides the warning about SQLite, and no other', async () => {
    const warn = [
      "process.emitWarning('SQLite is an experimental feature and might change at any time','ExperimentalWarning')",
      "process.emitWarning('Something else is experimental','ExperimentalWarning')",
    ]
    const later = `setTimeout(()=>{${warn.join(';')}},50)`
    const { code, stderr } = await place.run(['--version'], { nodeOptions: asNode('24.0.0', later) })
    expect(code).toBe(0)
    expect(stderr).toContain('Something else is experimental')
    expect(stderr).not.toContain('SQLite')
  })
})

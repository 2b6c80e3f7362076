/** What the demonstration agent says, in English and Chinese. `{…}` is filled in from what was said and what came back. */
import type { Wish } from './read-wish.ts'

export interface DemonstrationWords {
  tour: {
    /** What the demonstration begins with; the agent knows it again. */
    opening: string
    allowed: string
    denied: string
    asked: string
    done: string
    greeting: string
    city: string
  }
  weather: { think: string; say: string }
  mail: { say: string; text: string }
  pay: { say: string }
  plan: { say: string; done: string; plan: string; poem: string }
  write: { say: string; text: string }
  read: { say: string }
  delete: { say: string }
  list: { say: string }
  run: { say: string }
  drop: { say: string }
  /** Of what ran, what failed and what was refused. */
  result: { ran: string; failed: string; refused: string; several: string }
  missing: Record<Extract<Wish, { kind: 'incomplete' }>['of'], string>
  unknown: string
}

const EN: DemonstrationWords = {
  tour: {
    opening:
      'Show me what happens to calls: one that is allowed, one that is denied, three that need approval.',
    allowed: "First I'll look around. That only reads, so it is allowed.",
    denied: 'Now something that the policy denies, whoever asks for it.',
    asked:
      'Now three things that need your approval: a file, the weather and a command. Approve, edit or reject them as you like.',
    done: "That's all. What you approved ran exactly as you saw it. What you didn't approve didn't run. Every step is in the journal. Now ask me for something: the weather in your city, say.",
    greeting: 'Hello from the demonstration agent.\nA person approved this very text.\n',
    city: 'Hangzhou',
  },
  weather: {
    think: 'I can look up the weather with get_weather.',
    say: "I'll look up the weather in {places}. That needs your approval.",
  },
  mail: {
    say: "I'll send this mail to {to}. That needs your approval.",
    text: 'Hello, this is the demonstration agent.',
  },
  pay: { say: "I'll pay {amount} to {to}. That needs your approval." },
  plan: {
    say: "I'll write a plan and a poem. Both need approval: decide them one by one, or together.",
    done: "Done. What you approved is in the workspace. What you didn't approve isn't.",
    plan: '# Plan\n\n1. Ask before changing anything.\n2. Run only what was approved.\n3. Report back.\n',
    poem: 'The crane stands still\nuntil the banksman lifts a hand.\n',
  },
  write: {
    say: "I'll write {path}. That needs your approval.",
    text: 'The demonstration agent was asked: {message}',
  },
  read: { say: "I'll read {path}. Reading is allowed." },
  delete: { say: "I'll delete {path}. That needs your approval." },
  list: { say: "I'll look at the files. That only reads, so it is allowed." },
  run: { say: "I'll run this command. That needs your approval." },
  drop: { say: "I'll try to drop the database {database}. The policy denies that, whoever asks for it." },
  result: {
    ran: '{result}',
    failed: "It didn't work: {result}",
    refused: "I didn't do it. Reason: {reason}",
    several: 'Results:\n{results}',
  },
  missing: {
    weather: 'Which city? Ask me like this: “What is the weather in Oslo?”',
    mail: 'To whom? Ask me like this: “Send a mail to ana@example.com saying hello”',
    pay: 'How much, and to whom? Ask me like this: “Pay Ada 250 euros”',
    run: 'Which command? Ask me like this: “Run `date`”',
  },
  unknown: `I'm a script, not a model, so I don't understand that. This is what I can do:

- the weather: “What is the weather in Oslo?”
- a mail: “Send a mail to ana@example.com saying hello”
- a payment: “Pay Ada 250 euros”
- a file: “Write notes.txt saying buy milk”, “Read notes.txt”, “Delete notes.txt”
- a command: “Run \`date\`”
- everything at once: “Show me what happens”

The weather, mails and payments are made up. Files and commands are real, in a folder of my own. If ANTHROPIC_API_KEY or OPENAI_BASE_URL is set when the server starts, a real model answers here.`,
}

const ZH: DemonstrationWords = {
  tour: {
    opening: '请演示调用会如何处理：一个直接允许，一个被禁止，三个需要审批。',
    allowed: '我先看看文件夹里有什么。这只是读取，所以直接允许。',
    denied: '接下来是策略禁止的操作，谁来要求都不行。',
    asked: '下面三件事需要您审批：写一个文件、查询天气、运行一条命令。您可以批准、修改或拒绝，随意尝试。',
    done: '演示结束。您批准的操作已按您看到的内容原样执行，没有批准的没有执行，每一步都记在日志里。接下来可以让我做点别的，比如查询您所在城市的天气。',
    greeting: '您好，这里是演示智能体。\n这段文字经过了人工批准。\n',
    city: '杭州',
  },
  weather: {
    think: '天气可以用 get_weather 查询。',
    say: '我来查询{places}的天气，这需要您审批。',
  },
  mail: { say: '我来给 {to} 发这封邮件，这需要您审批。', text: '您好，这是演示智能体发来的邮件。' },
  pay: { say: '我来向 {to} 支付 {amount}，这需要您审批。' },
  plan: {
    say: '我来写一份计划和一首诗，两者都需要审批，可以逐个决定，也可以一并决定。',
    done: '完成了。您批准的文件已写入工作文件夹，没有批准的没有写入。',
    plan: '# 计划\n\n1. 改动之前先征得同意。\n2. 只执行已批准的操作。\n3. 汇报结果。\n',
    poem: '吊臂悬空静候，\n只等指挥一挥手。\n',
  },
  write: { say: '我来写入 {path}，这需要您审批。', text: '演示智能体收到的要求：{message}' },
  read: { say: '我来读取 {path}，读取是直接允许的。' },
  delete: { say: '我来删除 {path}，这需要您审批。' },
  list: { say: '我来看看有哪些文件。这只是读取，所以直接允许。' },
  run: { say: '我来运行这条命令，这需要您审批。' },
  drop: { say: '我来尝试删除数据库 {database}。策略禁止这样做，谁来要求都不行。' },
  result: {
    ran: '{result}',
    failed: '没有成功：{result}',
    refused: '好的，这件事我没有做。原因：{reason}',
    several: '结果如下：\n{results}',
  },
  missing: {
    weather: '请问是哪个城市？可以这样说：“奥斯陆的天气怎么样？”',
    mail: '请问发给谁？可以这样说：“给 ana@example.com 发邮件，内容是：您好”',
    pay: '请问付给谁、付多少？可以这样说：“给小李转账 200 元”',
    run: '请问运行什么命令？可以这样说：“运行 `date`”',
  },
  unknown: `我按固定脚本回答，不是真正的模型，所以没有听懂这句话。我能做的是：

- 查天气：“奥斯陆的天气怎么样？”
- 发邮件：“给 ana@example.com 发邮件，内容是：您好”
- 付款：“给小李转账 200 元”
- 读写文件：“写 notes.txt，内容是：买牛奶”“读取 notes.txt”“删除 notes.txt”
- 运行命令：“运行 \`date\`”
- 完整演示一遍：“请演示”

天气、邮件和付款都是虚构的；文件和命令是真的，都在我自己的文件夹里。启动服务器时设置 ANTHROPIC_API_KEY 或 OPENAI_BASE_URL，这里就由真正的模型回答。`,
}

export const DEMONSTRATION_WORDS: Readonly<Record<'en' | 'zh', DemonstrationWords>> = { en: EN, zh: ZH }

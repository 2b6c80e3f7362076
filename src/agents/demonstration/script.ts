/**
 * What the demonstration agent says and does. It needs no model: it follows this script, which shows one call that is
 * allowed, one that is denied and three that people are asked about at once, and the conversation about the weather, which takes a no
 * for an answer.
 */
import { type ModelScript, readScript } from '../models/scripted/script.ts'

export const DEMONSTRATION_SCRIPT: ModelScript = readScript({
  name: 'demonstration',
  scenes: [
    {
      when: 'show me',
      steps: [
        {
          say: 'I look around first. That only reads, so it is allowed.',
          calls: [{ tool: 'list_dir', arguments: { path: '.' } }],
        },
        {
          say: 'Now something that the policy denies, whatever anyone says.',
          calls: [{ tool: 'drop_production', arguments: { database: 'customers' } }],
        },
        {
          say: 'And now three things that a person decides: a file, a command and a question about the weather. Approve one, edit one, reject one, as you like.',
          calls: [
            {
              tool: 'write_file',
              arguments: {
                path: 'greeting.txt',
                content: 'Hello from the demonstration agent.\nA person approved this very text.\n',
              },
            },
            { tool: 'get_weather', arguments: { city: 'Hangzhou' } },
            {
              tool: 'exec',
              arguments: { command: 'ls -la && rm -f greeting.txt', shell: true },
            },
          ],
        },
        {
          say: 'That was all. What you approved ran, exactly as you saw it; what you did not approve did not. Every step is in the journal. Ask me about the weather, or to write a plan.',
        },
      ],
    },
    {
      when: '天气',
      steps: weather(
        '杭州',
        '天气可以用 get_weather 查询。',
        '我来查询天气，这需要您的同意。',
        '查询结果：{result}',
        '好的，我不查询了。您的理由：{reason}',
      ),
    },
    {
      when: 'weather',
      steps: weather(
        'Hangzhou',
        'The tool get_weather tells the weather.',
        'I look the weather up; that needs your consent.',
        'Here it is: {result}',
        'All right, I leave it. You said: {reason}',
      ),
    },
    {
      when: 'plan',
      steps: [
        {
          say: 'I write a plan and a poem. Both are asked at once; decide them one by one, or together.',
          calls: [
            {
              tool: 'write_file',
              arguments: {
                path: 'plan.md',
                content:
                  '# Plan\n\n1. Ask before changing anything.\n2. Run only what was approved.\n3. Report back.\n',
              },
            },
            {
              tool: 'write_file',
              arguments: {
                path: 'poem.txt',
                content: 'The crane stands still\nuntil the banksman lifts a hand.\n',
              },
            },
          ],
        },
        { say: 'That is it. What was approved is in the workspace; what was not is not.' },
      ],
    },
    {
      when: 'run',
      steps: [
        {
          say: 'I would run this command. It is shown to you whole.',
          calls: [{ tool: 'exec', arguments: { command: 'uname', arguments: ['-sr'] } }],
        },
        {
          oneOf: [
            { when: { result: 'refused' }, say: 'I did not run it: {reason}' },
            { say: 'It says:\n{result}' },
          ],
        },
      ],
    },
    {
      steps: [
        {
          say: 'I follow a script, so I understand little: ask me about the weather in Hangzhou, to write a plan, or to run something. With a key or a base URL in the environment a real model answers here.',
        },
      ],
    },
  ],
})

/** Both languages, the same conversation. */
function weather(city: string, thinks: string, asks: string, tells: string, leaves: string) {
  return [
    { think: thinks, say: asks, calls: [{ tool: 'get_weather', arguments: { city } }] },
    { oneOf: [{ when: { result: 'refused' }, say: leaves }, { say: tells }] },
  ]
}

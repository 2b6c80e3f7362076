/** `banksman policy replay` */
import { defined } from '../../../core/defined.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { userName } from '../../../server/host/user-name.ts'
import type { WireReplay, WireReplayGroup } from '../../../wire/types/explanation.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import {
  CONFIGURATION_NAME,
  configurationPath,
  readConfigurationText,
} from '../../connection/configuration-file.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { CommandFailure, EXIT, usageError } from '../../output/failures.ts'
import { rendered, safeJson, visible } from '../../output/safe-text.ts'
import type { Paint, TextStyle } from '../../output/terminal.ts'

export const policyReplay = defineCommand({
  about: `Applies the policy of a file to the calls that a server has on record, and shows what would have been different: which calls would no
longer be denied, which would no longer need approval, and which would newly need approval or be denied. It changes nothing and asks
nobody.

Paths are resolved as they are today. The exit code is 0 whatever would have changed.`,
  positionals: [{ name: 'file', required: false }],
  options: {
    days: { kind: 'text', value: 'N', about: 'how many days back (default: 30)' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman policy replay', about: `test ${CONFIGURATION_NAME} before you trust it` },
    { line: 'banksman policy replay stricter.yaml --days 7', about: 'another file, on the calls of a week' },
  ],
  async run({ values, positionals: [named] }, context) {
    const { terminal } = context
    const days = daysOf(values.days)
    const file = configurationPath(named, context)
    const text = readConfigurationText(file)
    if (text === undefined) throw new CommandFailure('ENOENT', `there is no ${file}`)
    const { policyBlock, tools } = readConfiguration(text, file, userName())
    const client = await connect(values, context)
    const replay = await client.replay({
      policy: policyBlock as JsonObject,
      ...(tools === undefined || tools === null ? {} : { tools: tools as JsonObject }),
      ...defined({ days }),
    })
    if (values.json) terminal.print(safeJson(replay, 2))
    else for (const line of replayText(replay, terminal.paint)) terminal.print(line)
    return EXIT.done
  },
})

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 365) return Number(text)
  throw usageError('--days must be a whole number from 1 to 365')
}

const HEADINGS: Readonly<Record<WireReplayGroup['change'], [string, TextStyle]>> = {
  'denial undone': ['No longer denied', 'red'],
  'prompt removed': ['No longer need approval', 'green'],
  'prompt added': ['Newly need approval', 'yellow'],
  'denial added': ['Newly denied', 'magenta'],
}

function replayText(replay: WireReplay, paint: Paint): string[] {
  const { days, calls, unchanged, erased, groups } = replay
  const lines = [
    `${calls} calls of the last ${days === 1 ? 'day' : `${days} days`} checked: ${unchanged} the same, ${calls - unchanged} different`,
  ]
  if (replay.cut === true) lines.push('There were more calls: only the newest were checked.')
  if (erased > 0) lines.push(`${erased} calls could not be checked: their arguments were erased.`)
  for (const [change, [heading, style]] of Object.entries(HEADINGS)) {
    const own = groups.filter((group) => group.change === change)
    if (own.length === 0) continue
    const total = own.reduce((sum, group) => sum + group.calls, 0)
    lines.push('', paint('bold', paint(style, `${heading}: ${total}`)))
    for (const group of own) lines.push(...groupLines(group, paint))
  }
  return lines
}

function groupLines(
  { tool, was, would, because, calls, rejected, examples }: WireReplayGroup,
  paint: Paint,
): string[] {
  const refused = rejected === 0 ? '' : paint('red', `, ${rejected} of which people rejected`)
  return [
    `  ${calls} × ${visible(tool)}: ${was} would be ${would}${refused}`,
    paint('dim', `    ${rendered(because)}`),
    ...examples.map((example) => paint('dim', `    · ${rendered(example)}`)),
  ]
}

/**
 * Codex runs a hook of its user only if `config.toml` says that it is trusted: by the file, the event and the numbers of the group and of
 * the hook in it, with a hash of what is configured. What isn't trusted it passes over without a word.
 *
 * So when ours go, the hooks of others that stood behind them get other numbers, and the trust that they have goes with them.
 */
import type { ChangedFile, ListedHook, SetupFile, TrustedHooks } from '../setup/agent-setup.ts'
import { type FoundHook, hooksIn } from '../setup/hook-groups.ts'
import {
  addTomlTable,
  readTomlText,
  removeFromToml,
  renameInToml,
  tomlTableText,
  tomlValueAt,
} from '../setup/toml-text.ts'

const STATE = ['hooks', 'state']
const KEY = /^(.*):[a-z_]+:\d+:\d+$/s

export function hookTrustFile(
  path: string,
  { ours, earlier = [], changes = [] }: TrustedHooks,
  isOurs: (hook: FoundHook) => boolean,
): SetupFile {
  const file = [...ours, ...earlier].map(({ key }) => KEY.exec(key)?.[1]).find((one) => one !== undefined)
  const changed = changes.find((change) => change.path === file) ?? changes[0]
  const { gone, moved } =
    file === undefined || changed === undefined
      ? { gone: [], moved: new Map<string, string>() }
      : renumbered(file, changed, isOurs)
  return {
    path,
    kind: 'shared',
    add(text) {
      let added = text ?? ''
      for (const { key, hash } of ours) {
        // What is left of a hook that had this number once.
        added = removeFromToml(added, [...STATE, key])
        added = addTomlTable(added, [...STATE, key], { trusted_hash: hash })
      }
      return added
    },
    remove(text, before) {
      let left = text
      for (const key of new Set([...[...ours, ...earlier].filter(isIn(text)).map(({ key }) => key), ...gone]))
        left = removeFromToml(left, [...STATE, key])
      left = renameInToml(left, STATE, moved)
      if (before === undefined) return left.trim() === '' ? undefined : left
      for (const { key } of ours) {
        const earlierTable = tomlTableText(before, [...STATE, key])
        if (earlierTable !== undefined && tomlValueAt(readTomlText(left), [...STATE, key]) === undefined)
          left = `${left}${left.endsWith('\n') || left === '' ? '' : '\n'}\n${earlierTable}`
      }
      // The end of the last line was made for ours.
      return left.replace(/\r?\n$/, '') === before ? before : left
    },
    find(text) {
      const found = ours.filter(isIn(text ?? ''))
      return found.length === ours.length ? 'there' : found.length === 0 ? 'missing' : 'changed'
    },
  }
}

/** Whether the file says that this very hook is trusted. */
function isIn(text: string): (hook: ListedHook) => boolean {
  const state = readTomlText(text)
  return ({ key, hash }) => tomlValueAt(state, [...STATE, key, 'trusted_hash']) === hash
}

/** The keys that ours have now, and which keys the hooks of others will have. */
function renumbered(
  file: string,
  { now, after }: ChangedFile,
  isOurs: (hook: FoundHook) => boolean,
): { gone: string[]; moved: Map<string, string> } {
  const keyOf = ({ event, at, place }: FoundHook) => `${file}:${snakeCase(event)}:${at}:${place}`
  const hooks = now === undefined ? [] : hooksIn(now)
  const others = hooks.filter((hook) => !isOurs(hook)).map(keyOf)
  const left = (after === undefined ? [] : hooksIn(after)).filter((hook) => !isOurs(hook)).map(keyOf)
  const pairs = others.flatMap((key, at) => {
    const to = left[at]
    return to === undefined || to === key ? [] : [[key, to] as const]
  })
  return { gone: hooks.filter(isOurs).map(keyOf), moved: new Map(pairs) }
}

export function snakeCase(event: string): string {
  return event.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase()
}

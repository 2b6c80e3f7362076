/** What is done to a client's file, whether it is JSON or TOML. All of it is by position: nothing else in the file changes. */

import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { notPlainBecause, readJsonText, removeFromJson } from '../setup/json-text.ts'
import { cutFromJson, jsonSource, prependToJson, putJsonSource, setInJson } from '../setup/json-values.ts'
import { readTomlText, removeFromToml } from '../setup/toml-text.ts'
import {
  cutFromToml,
  prependToToml,
  putTomlSource,
  setInToml,
  tomlAsJson,
  tomlSource,
} from '../setup/toml-values.ts'
import type { McpFile } from './mcp-client.ts'

type EntryPath = readonly string[]

export interface ConfigText {
  read(text: string): JsonValue
  /** The entry as it is written. */
  source(text: string, path: EntryPath): string | undefined
  putSource(text: string, path: EntryPath, source: string): string
  set(text: string, path: EntryPath, value: JsonValue): string
  remove(text: string, path: EntryPath): string
  prepend(text: string, path: EntryPath, words: readonly string[]): string
  cut(text: string, path: EntryPath, count: number): string
}

const JSON_TEXT: ConfigText = {
  read: readJsonText,
  source: jsonSource,
  putSource: putJsonSource,
  set: setInJson,
  remove: removeFromJson,
  prepend: prependToJson,
  cut: cutFromJson,
}

const STRICT_JSON_TEXT: ConfigText = {
  ...JSON_TEXT,
  read(text) {
    const value = readJsonText(text)
    try {
      if (text.trim() !== '') parseJson(text)
    } catch {
      throw new BanksmanError(
        'invalid',
        `${notPlainBecause(text)}: the client leaves out such a file as a whole`,
      )
    }
    return value
  },
}

const TOML_TEXT: ConfigText = {
  read: (text) => tomlAsJson(readTomlText(text)),
  source: tomlSource,
  putSource: putTomlSource,
  set: setInToml,
  remove: removeFromToml,
  prepend: prependToToml,
  cut: cutFromToml,
}

export function configText({ format, isStrict }: McpFile): ConfigText {
  return format === 'toml' ? TOML_TEXT : isStrict ? STRICT_JSON_TEXT : JSON_TEXT
}

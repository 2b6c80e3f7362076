/** What an MCP server says of a tool, laid out to be read and compared line by line. */
import { parseJson } from '../../../../src/core/json/parse-json.ts'

/** Each member and each line of a description on a line of its own. Nothing is left out and nothing made visible yet. */
export function definitionText(json: string): string {
  try {
    return breakLines(JSON.stringify(parseJson(json), null, 2))
  } catch {
    return json
  }
}

/** After each line break that a text has in it. */
function breakLines(text: string): string {
  return text.replace(/\\\\|\\n(?!")/g, (found) => (found === '\\n' ? '\\n\n' : found))
}

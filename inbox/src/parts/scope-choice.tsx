import type { GrantScope } from '../../../src/client/index.ts'
import { wordFor } from '../words/words.ts'
import { useWords } from './context.ts'

export interface ScopeChoiceProps {
  scopes: GrantScope[]
  chosen: GrantScope
  choose(scope: GrantScope): void
}

/** For how long an approval holds. Once, unless somebody says otherwise. */
export function ScopeChoice({ scopes, chosen, choose }: ScopeChoiceProps) {
  const words = useWords()
  return (
    <fieldset class="scopes">
      <legend>{words.scopeLabel}</legend>
      {scopes.map((scope) => (
        <label key={scope}>
          <input type="radio" name="scope" checked={scope === chosen} onChange={() => choose(scope)} />
          <span>{wordFor(words.scope, scope)}</span>
        </label>
      ))}
    </fieldset>
  )
}

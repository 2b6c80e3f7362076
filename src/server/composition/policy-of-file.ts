/** The policy of a `banksman.yaml` for a gateway inside a program. It stays as it is until the program opens another. */
import { BanksmanError } from '../../core/errors.ts'
import type { OwnHouse } from '../../policy/built-in-denies/compile-built-in-denies.ts'
import { compileConfigured } from '../configuration/configuration.ts'
import { createConfigurationSource, describeStatus } from '../configuration/configuration-source.ts'
import { trustFolder } from '../configuration/trust.ts'
import type { PolicyParts } from './compose-embedded.ts'
import { directoryOf } from './directory.ts'

export function policyOfFile(file: string, owner: string): PolicyParts {
  const source = createConfigurationSource({
    file,
    trustFolder: trustFolder(process.env),
    defaultOwner: owner,
  })
  const status = source.status()
  if (status.kind === 'absent') {
    throw new BanksmanError(
      'invalid_configuration',
      `there is no ${file}; name a file that is there, or give the policy as a block, as in { allow: ['read_*'] }`,
    )
  }
  const compile = (ownHouse: OwnHouse) => compileConfigured(source.current(), { ownHouse })
  if (status.kind === 'gone') process.emitWarning(describeStatus(status, file))
  if (status.kind === 'untrusted') {
    process.emitWarning(
      `${file} has not been trusted by a person; ${status.holding === 'built_in' ? 'every call needs approval' : 'the text that was trusted last stays in force'} until someone runs: banksman trust ${file}`,
    )
  }
  const directory = directoryOf(source.current(), [], 0)
  const { roots, modes } = source.current()
  return { compile, directory, roots, modes }
}

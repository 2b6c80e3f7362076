/** Imports an optional library when it is needed. Where it is missing, says what to install. */
import { BanksmanError } from '../../../core/errors.ts'

export async function loadLibrary<Library>(
  name: string,
  load: () => Promise<Library>,
  neededFor = 'this model',
): Promise<Library> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new BanksmanError(
      'missing_dependency',
      `the package ${name} is needed for ${neededFor}; install it: npm install ${name}`,
      { package: name },
      { cause: error },
    )
  }
}

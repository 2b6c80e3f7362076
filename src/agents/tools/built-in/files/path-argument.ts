/** The argument by which all file tools name a file or a folder. The policy looks up where it leads. */
import { z } from 'zod'

/** As long as a path can be that the policy looks up. */
const MAX_PATH = 4096

export const PATH = z
  .string()
  .min(1)
  .max(MAX_PATH)
  .refine((path) => !path.includes('\0'), 'a path has no NUL character in it')
  .describe('A path in the workspace, relative to it.')

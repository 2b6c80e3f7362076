/** Whether a resolved path lies in one of the declared folders. */

/** True only where it surely does: a path that differs from a root in case alone may be another folder. */
export function isInside(resolved: string, roots: readonly string[]): boolean {
  const path = plainPath(resolved)
  return path !== undefined && roots.some((root) => isAtOrBelow(path, plainPath(root)))
}

/**
 * An absolute path in the one form in which paths are compared: slashes between the names and none at the end, so
 * that the root is the empty text. Undefined for what no resolving would give: relative paths, steps such as `..`,
 * and the names for which Windows would open another file.
 */
export function plainPath(path: string): string | undefined {
  const isDrive = !path.startsWith('/')
  if (isDrive && !/^[A-Za-z]:[\\/]/.test(path)) return undefined
  const slashed = isDrive ? path.replaceAll('\\', '/') : path
  const plain = slashed.endsWith('/') ? slashed.slice(0, -1) : slashed
  if (plain.includes('//') || plain.endsWith('/')) return undefined
  if (plain.includes('/.') && /\/\.{1,2}(?:\/|$)/.test(plain)) return undefined
  if (isDrive && /[. ](?:\/|$)|:|~[0-9]/.test(plain.slice(2))) return undefined
  return plain
}

export function isAtOrBelow(path: string, folder: string | undefined): boolean {
  if (folder === undefined || !path.startsWith(folder)) return false
  return path.length === folder.length || path[folder.length] === '/'
}

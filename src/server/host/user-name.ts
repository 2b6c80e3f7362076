/** Whose installation this is where nobody says: the user that runs the program. */
export function userName(): string {
  const name = process.env.USER ?? process.env.LOGNAME ?? process.env.USERNAME ?? 'owner'
  return /^[^\p{C}\p{Z}:]{1,128}$/u.test(name) ? name : 'owner'
}

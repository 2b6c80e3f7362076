/** A JSON pointer's step, with `~` and `/` escaped (RFC 6901). */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

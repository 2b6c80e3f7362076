/** Where faults go that nobody waits for, in a program that says nothing else. */
export function reportToStandardError({ doing, error }: { doing: string; error: unknown }): void {
  console.error(`banksman: ${doing}: ${error instanceof Error ? error.message : String(error)}`)
}

/**
 * The list of files that run or steer programs, which is used on both sides: an edit of one needs a person unless a rule
 * allows it by name, and a program that reads one which a call of the session may have written without a person is no
 * longer vouched for. `docs/reference/policy.md` shows it; a test compares the two.
 *
 * Left out on purpose: files that only programs run which are started for it (`Makefile`, tests, sources, `Dockerfile`).
 * Those programs are never vouched for.
 */
import { GIT_GROUPS } from './groups/git.ts'
import { JAVASCRIPT_GROUPS } from './groups/javascript.ts'
import { LANGUAGE_GROUPS } from './groups/languages.ts'
import { MACHINE_GROUPS } from './groups/machine.ts'
import { PYTHON_GROUPS } from './groups/python.ts'
import type { SteeringGroup } from './steering-group.ts'

export const STEERING_GROUPS: readonly SteeringGroup[] = [
  ...GIT_GROUPS,
  ...JAVASCRIPT_GROUPS,
  ...PYTHON_GROUPS,
  ...LANGUAGE_GROUPS,
  ...MACHINE_GROUPS,
]

/** What may have written any file may have written one of each group. */
export const EVERY_GROUP: readonly string[] = STEERING_GROUPS.map(({ name }) => name)

const readBy = new Map<string, SteeringGroup[]>()
for (const group of STEERING_GROUPS) {
  for (const program of group.readBy) readBy.set(program, [...(readBy.get(program) ?? []), group])
}

const NONE: readonly SteeringGroup[] = []

/** The groups of files that the program reads. */
export function groupsReadBy(program: string): readonly SteeringGroup[] {
  return readBy.get(program) ?? NONE
}

/** Whether files of the folder that it runs in decide what the program does. */
export function isRuledByFolder(program: string): boolean {
  return groupsReadBy(program).some(({ inHome }) => inHome !== true)
}

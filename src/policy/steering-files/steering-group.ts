/**
 * A group of files that run or steer programs: whoever may write one decides what a program does the next time somebody
 * starts it, or what runs without being started. The groups are in `groups/`; this is how they are written.
 */
import type { PlainCode } from '../../core/reasons/reason-of.ts'

export type SteeringCode = Extract<PlainCode, `steers.${string}`>

export interface SteeringGroup {
  /** `npm`, `bare git repository`. It is part of the names of rules, so it does not change. Its message is `group.` and the name. */
  readonly name: string
  /**
   * Which files, without regard to case and in any folder: names of folders and of the file, with `*` for a piece of a
   * name. `x/**` is the folder `x` and all that is in it. `<plain>` is a name without an extension, as git gives them.
   * `^/` in front: only at the top of a root.
   */
  readonly files: readonly string[]
  /** What such a file can do. */
  readonly why: SteeringCode
  /** Programs of the starter that read it, from the folder they run in, its parents or beside their arguments. */
  readonly readBy: readonly string[]
  /** Such files are meant in the home folder: a program that reads them is not ruled by the folder it runs in. */
  readonly inHome?: true
  /**
   * People edit these every day, and what they steer is no more than how programs of the starter read: such an edit needs
   * nobody, but those programs are no longer vouched for after it.
   */
  readonly everyday?: true
}

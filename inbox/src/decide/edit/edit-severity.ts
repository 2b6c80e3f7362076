/** How dangerous an edit is: never less than what was asked, and as much as the policy makes of it. */
import type { Severity, WirePreview } from '../../../../src/client/index.ts'
import { isHighRisk, SEVERITIES } from '../../../../src/core/verdict.ts'

export interface EditRisk {
  severity: Severity
  /** False as long as nobody knows what the policy makes of it. */
  isKnown: boolean
  takesSecondStep: boolean
}

/** `preview` is undefined while it is on its way, and where it can't be had. */
export function riskOf(
  asked: Severity,
  preview: Pick<WirePreview, 'severity' | 'newRules'> | undefined,
): EditRisk {
  // A word that this page does not know says nothing about how dangerous it is.
  const known = preview !== undefined && SEVERITIES.includes(preview.severity) ? preview : undefined
  const severity = known === undefined ? asked : higherSeverity(asked, known.severity)
  const takesSecondStep = known === undefined || isHighRisk(severity) || known.newRules.length > 0
  return { severity, isKnown: known !== undefined, takesSecondStep }
}

export function higherSeverity(one: Severity, other: Severity): Severity {
  return SEVERITIES.indexOf(other) > SEVERITIES.indexOf(one) ? other : one
}

/** A button that only leads to another step says so. */
export function submitWords(words: string, { takesSecondStep }: EditRisk): string {
  return takesSecondStep ? `${words}…` : words
}

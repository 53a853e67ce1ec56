import { hasText, t, type TKey } from '../../../lib/i18n/i18n.ts'
import type { RunProgress } from '../../../live/runs.ts'

/** Reason in words why a run failed or was skipped. */
export function describeReason(reason: NonNullable<RunProgress['Reason']>): string {
  const key: string = `errors:command.${reason}`
  const skipped: string = `automation:reasons.${reason}`
  return t(hasText(key) ? key : hasText(skipped) ? skipped : ('errors:command.noAnswer' satisfies TKey))
}

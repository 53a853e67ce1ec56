import type { RuleWarning } from '../../../../contract/automation/calls.ts'
import type { TKey, TValues } from '../../../lib/i18n/i18n.ts'

const REASONS = ['noContract', 'noMainMeter', 'meterTooSlow', 'neverHeard', 'never'] as const
type BlockerKey = (typeof REASONS)[number]

/** Locale key of the reason why a rule can never fire; undefined for warnings that do not prevent it. */
export const blockerKeyOf = (kind: RuleWarning['Kind']): BlockerKey | undefined =>
  REASONS.find((reason) => reason === kind)

/** "Cannot fire: …" with the reason. */
export const cannotFire = (
  t: (key: TKey, values?: TValues) => string,
  reason: BlockerKey,
  device: string,
): string =>
  t('automation:rule.cannotFire.said', {
    reason: t(`automation:rule.cannotFire.reasons.${reason}`, { device }),
  })

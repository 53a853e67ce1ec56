import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { formatDays, type Period } from '../../ui/inputs/period-picker/period.ts'

/** With what the period is compared in the end. */
export interface ComparedNote {
  /** Undefined while that is not known. */
  period: Period | undefined
  /** Whether nothing is known of a year ago. */
  isInstead: boolean
  /** Whether nothing is known of the period before either. */
  isNone: boolean
}

/** Says with what the figures are compared, and where that is not what was asked for. */
export function ComparedWith({ note: { period, isInstead, isNone } }: { note: ComparedNote }) {
  const t = useT()
  const language = useLanguage()
  if (isNone) return <span>{t('electricity:compared.none')}</span>
  if (!period) return null
  const days = formatDays(period.days, language)
  const { unit } = period.days
  const instead = unit === 'day' ? 'insteadDay' : unit === 'days' ? 'insteadDays' : 'instead'
  return <span>{t(`electricity:compared.${isInstead ? instead : 'with'}`, { days })}</span>
}

import { useT } from '../../../lib/i18n/i18n.ts'
import type { BarFilter } from '../../filter-bar/bar-filter.ts'
import { PlainSelect } from '../../plain/plain-choice.tsx'
import { comparisonsOf, usualComparison, type DayRange, type PeriodChoice } from './period.ts'

export function useCompareFilter(
  value: PeriodChoice,
  onChange: (next: PeriodChoice) => void,
  days: DayRange,
): BarFilter {
  const t = useT()
  const usual = usualComparison(days)
  return {
    key: 'compare',
    label: t('charts:period.compare'),
    chosen: value.compare === usual ? undefined : t(`charts:period.comparisons.${value.compare}`),
    clear: () => onChange({ ...value, compare: usual }),
    input: (
      <PlainSelect
        data-keys="c"
        label={t('charts:period.compare')}
        value={value.compare}
        onChange={(compare) => onChange({ ...value, compare })}
        options={comparisonsOf(days).map((one) => ({
          value: one,
          label: t(`charts:period.comparisons.${one}`),
        }))}
      />
    ),
  }
}

import { InputNumber } from 'antd'
import type { Sample } from '../../../../contract/meters/intervals.ts'
import { describeRight } from '../../../data/failure.ts'
import { useEnergyFormat } from '../../../domain/energy/use-figures.ts'
import { formatWhen } from '../../../lib/format-when.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { Field } from '../common/field.tsx'
import styles from '../common/meters.module.css'
import type { Replacement } from './use-replacement.ts'

const MAX_KWH = 1e12

/** Last value of the old meter and first value of the new one, with the adjacent readings as hints. */
export function ValuesStep({ replacement }: { replacement: Replacement }) {
  const t = useT()
  const hint = useHint(replacement)
  const { oldKwh, newKwh, setOldKwh, setNewKwh, around, faults } = replacement
  return (
    <div className={styles.fields}>
      <Field label={t('meters:replace.old')} hint={hint(around?.before)} fault={faults['OldKwh']}>
        <Counter value={oldKwh} onChange={setOldKwh} />
      </Field>
      <Field label={t('meters:replace.new')} hint={hint(around?.after)} fault={faults['NewKwh']}>
        <Counter value={newKwh} onChange={setNewKwh} />
      </Field>
    </div>
  )
}

/** Text for a reading: value and time, or the reason there is none. */
function useHint({
  place,
  mayLookBack: mayReadHistory,
  readings,
}: Replacement): (sample: Sample | undefined) => string {
  const t = useT()
  const language = useLanguage()
  const figures = useEnergyFormat()
  return (sample) => {
    if (sample)
      return t('meters:replace.reading', {
        kwh: figures(sample.kwh),
        at: formatWhen(sample.timestamp, language, place.zone),
      })
    if (!mayReadHistory) return describeRight({ feature: 'history', operation: 'Read' })
    if (readings.isLoading) return t('shell:loading')
    return t(readings.error ? 'screens:loadFailed' : 'meters:replace.noReading')
  }
}

function Counter(props: { value: number | null; onChange(value: number | null): void }) {
  return <InputNumber<number> min={0} max={MAX_KWH} suffix="kWh" {...props} />
}

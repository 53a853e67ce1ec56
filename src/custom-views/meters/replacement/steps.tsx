import { Alert, Input, InputNumber } from 'antd'
import { useReadingFormat } from '../../../domain/energy/use-figures.ts'
import { formatDay } from '../../../../contract/time/periods.ts'
import { describeRight } from '../../../data/failure.ts'
import { useT, useLanguage } from '../../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../../ui/page/format-when.ts'
import { ChangePreview } from '../common/change-preview.tsx'
import { Field, MeterSelect } from '../common/fields.tsx'
import page from '../../../ui/page/page.module.css'
import { effectOf, type Replacement } from './use-replacement.ts'
import { MomentField } from '../../../ui/inputs/day-field/day-field.tsx'
import { toWallTimeInput } from '../../../lib/wall-input.ts'
import type { Sample } from '../../../../contract/meters/intervals.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'

/** Last step: the replacement in one sentence, its effect, and a note. */
export function CheckStep({ replacement }: { replacement: Replacement }) {
  const t = useT()
  const figures = useReadingFormat()
  const {
    place,
    meter,
    wall,
    oldKwh,
    newKwh,
    mayLookBack: mayReadHistory,
    note,
    setNote,
    faults,
  } = replacement
  const { kwh, quarantined } = effectOf(replacement)
  return (
    <>
      <p>
        {t('meters:replace.sentence', {
          name: meter === undefined ? '' : place.nameOf(meter),
          at: wall.replace('T', ' '),
          old: figures(oldKwh),
          new: figures(newKwh),
        })}
      </p>
      {mayReadHistory ? (
        <DayPreview replacement={replacement} effect={kwh} />
      ) : (
        <p className={page.hint}>{describeRight({ feature: 'history', operation: 'Read' })}</p>
      )}
      {quarantined > 0 && (
        <Alert type="warning" showIcon message={t('meters:replace.quarantined', { count: quarantined })} />
      )}
      <Field label={t('meters:note')} fault={faults['Note']}>
        <Input.TextArea
          rows={2}
          maxLength={500}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </Field>
      {faults['From'] && (
        <p className={page.fault} role="alert">
          {faults['From'] === t('errors:fields.overlap') ? t('meters:already') : faults['From']}
        </p>
      )}
    </>
  )
}

/** Energy on the day of the replacement, before and after entering it. */
function DayPreview(props: { replacement: Replacement; effect: number | undefined }) {
  const { replacement, effect } = props
  const t = useT()
  const date = useFormatDate()
  const { energy, readings, day } = replacement
  const before = energy.data?.days ?? null
  return (
    <ChangePreview
      lines={
        energy.data && effect !== undefined
          ? [
              {
                label: t('meters:preview.day', { day: date(formatDay(day)) }),
                before,
                after: (before ?? 0) + effect,
              },
            ]
          : undefined
      }
      error={energy.error ?? readings.error}
      retry={() => void readings.refetch()}
    />
  )
}

export function WhenStep({ replacement }: { replacement: Replacement }) {
  const t = useT()
  const { place, meter, wall, inFuture, now } = replacement
  const { zone, meters } = place
  return (
    <div className={page.fields}>
      <Field label={t('energy:meter')}>
        <MeterSelect
          meters={[...meters.values()]}
          value={meter}
          onChange={replacement.setMeter}
          label={t('energy:meter')}
        />
      </Field>
      <Field
        label={t('meters:replace.at')}
        hint={t('meters:homeClock', { zone })}
        fault={inFuture ? t('errors:fields.future') : undefined}
      >
        <MomentField
          zone={zone}
          minutes={1}
          max={toWallTimeInput(now, zone)}
          value={wall}
          change={replacement.setWall}
        />
      </Field>
    </div>
  )
}

const MAX_KWH = 1e12

/** Last value of the old meter and first value of the new one, with the adjacent readings as hints. */
export function ValuesStep({ replacement }: { replacement: Replacement }) {
  const t = useT()
  const hint = useHint(replacement)
  const { oldKwh, newKwh, setOldKwh, setNewKwh, around, faults } = replacement
  return (
    <div className={page.fields}>
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
  const figures = useReadingFormat()
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

import { Alert, Input } from 'antd'
import { formatDay } from '../../../../contract/time/periods.ts'
import { describeRight } from '../../../data/failure.ts'
import { useEnergyFormat } from '../../../domain/energy/use-figures.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../../ui/page/format-when.ts'
import { ChangePreview } from '../common/change-preview.tsx'
import { Field } from '../common/field.tsx'
import page from '../../../ui/page/page.module.css'
import { effectOf, type Replacement } from './use-replacement.ts'

/** Last step: the replacement in one sentence, its effect, and a note. */
export function CheckStep({ replacement }: { replacement: Replacement }) {
  const t = useT()
  const figures = useEnergyFormat()
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

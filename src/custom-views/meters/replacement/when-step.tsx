import { useT } from '../../../lib/i18n/i18n.ts'
import { MomentField } from '../../../ui/inputs/day-field/day-field.tsx'
import { Field } from '../common/field.tsx'
import { MeterSelect } from '../common/meter-select.tsx'
import styles from '../common/meters.module.css'
import { toWallTimeInput } from '../../../lib/wall-input.ts'
import type { Replacement } from './use-replacement.ts'

export function WhenStep({ replacement }: { replacement: Replacement }) {
  const t = useT()
  const { place, meter, wall, inFuture, now } = replacement
  const { zone, meters } = place
  return (
    <div className={styles.fields}>
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

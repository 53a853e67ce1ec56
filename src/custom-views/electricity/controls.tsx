import { Segmented, Select } from 'antd'
import { GROUPINGS } from '../../../contract/procedures/meter-data.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { DayRange } from '../../ui/inputs/period-picker/period.ts'
import { MEASURES } from '../../domain/energy/measures.ts'
import { barsFor, type EnergyAddress } from './address.ts'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { UNITS } from '../../domain/energy/use-figures.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'

interface Props {
  address: EnergyAddress
  days: DayRange
  meters: ReadonlyMap<string, NamedMeter>
  /** Undefined until they are known. */
  virtual: ReadonlyMap<string, NamedMeter> | undefined
  chosen: readonly string[]
  /** Whether the home as a whole may be divided by where its energy came from. */
  hasSources: boolean
}

/** What is shown: in which unit, by which bars, divided by what, of which meters. */
export function Controls({ address, days, meters, virtual, chosen, hasSources }: Props) {
  const t = useT()
  const real = optionsOf(meters)
  const allowed = barsFor(days)
  return (
    <div className={`${page.wideRow} ${styles.controls}`}>
      <Segmented
        aria-label={t('energy:measure')}
        value={address.measure}
        onChange={(measure) => address.change({ measure })}
        options={MEASURES.map((value) => ({ value, label: UNITS[value] }))}
      />
      {allowed.length > 1 && (
        <Segmented
          aria-label={t('energy:resolution')}
          value={address.bars}
          onChange={(bars) => address.change({ bars })}
          options={allowed.map((value) => ({ value, label: t(`energy:bars.${value}`) }))}
        />
      )}
      <Select
        aria-label={t('energy:divide')}
        value={address.by}
        popupMatchSelectWidth={false}
        onChange={(by) => address.change({ by })}
        options={GROUPINGS.filter((value) => value !== 'source' || hasSources).map((value) => ({
          value,
          label: t(`energy:by.${value}`),
        }))}
      />
      <Select<string[], MeterOption>
        mode="multiple"
        aria-label={t('energy:meters')}
        className={styles.meterChoice ?? ''}
        placeholder={t('energy:allMeters')}
        value={[...chosen]}
        maxTagCount="responsive"
        allowClear
        optionFilterProp="label"
        onChange={(next) => address.change({ meters: next })}
        options={
          virtual?.size
            ? [
                { label: t('energy:realMeters'), options: real },
                { label: t('energy:virtualMeters'), options: optionsOf(virtual) },
              ]
            : real
        }
      />
    </div>
  )
}

/** A meter, or some under a heading. */
interface MeterOption {
  label: string
  value?: string
  options?: MeterOption[]
}

const optionsOf = (meters: ReadonlyMap<string, NamedMeter>) =>
  [...meters.values()].map(({ PeripheralUID, name }) => ({ value: PeripheralUID, label: name }))

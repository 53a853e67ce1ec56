import { Segmented, Select } from 'antd'
import { GROUPINGS } from '../../../contract/procedures/meter-data.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { BarFilter } from '../../ui/filter-bar/bar-filter.ts'
import type { DayRange } from '../../ui/inputs/period-picker/period.ts'
import { MEASURES } from '../../domain/energy/measures.ts'
import { barsFor, type EnergyAddress } from './address.ts'
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
export function useControls({ address, days, meters, virtual, chosen, hasSources }: Props): BarFilter[] {
  const t = useT()
  const real = optionsOf(meters)
  const allowed = barsFor(days)
  const { by, measure, bars, change } = address
  const groupings = GROUPINGS.filter((value) => value !== 'source' || hasSources)
  return [
    {
      key: 'measure',
      label: t('energy:measure'),
      chosen: measure === MEASURES[0] ? undefined : UNITS[measure],
      clear: () => change({ measure: '' }),
      input: (
        <Segmented
          aria-label={t('energy:measure')}
          value={measure}
          onChange={(next) => change({ measure: next })}
          options={MEASURES.map((value) => ({ value, label: UNITS[value] }))}
        />
      ),
    },
    ...(allowed.length > 1
      ? [
          {
            key: 'bars',
            label: t('energy:resolution'),
            chosen: bars === allowed[0] ? undefined : t(`energy:bars.${bars}`),
            clear: () => change({ bars: '' }),
            input: (
              <Segmented
                aria-label={t('energy:resolution')}
                value={bars}
                onChange={(next) => change({ bars: next })}
                options={allowed.map((value) => ({ value, label: t(`energy:bars.${value}`) }))}
              />
            ),
          },
        ]
      : []),
    {
      key: 'by',
      label: t('energy:divide'),
      chosen: by === 'home' ? undefined : t(`energy:by.${by}`),
      clear: () => change({ by: '' }),
      input: (
        <Select
          aria-label={t('energy:divide')}
          value={by}
          popupMatchSelectWidth={false}
          onChange={(next) => change({ by: next })}
          options={groupings.map((value) => ({ value, label: t(`energy:by.${value}`) }))}
        />
      ),
    },
    {
      key: 'meters',
      label: t('energy:meters'),
      chosen: chosen.length === 0 ? undefined : t('energy:metersChosen', { count: chosen.length }),
      clear: () => change({ meters: [] }),
      input: (
        <Select<string[], MeterOption>
          mode="multiple"
          aria-label={t('energy:meters')}
          className={styles.meterChoice ?? ''}
          placeholder={t('energy:allMeters')}
          value={[...chosen]}
          maxTagCount="responsive"
          allowClear
          optionFilterProp="label"
          onChange={(next) => change({ meters: next })}
          options={
            virtual?.size
              ? [
                  { label: t('energy:realMeters'), options: real },
                  { label: t('energy:virtualMeters'), options: optionsOf(virtual) },
                ]
              : real
          }
        />
      ),
    },
  ]
}

/** A meter, or some under a heading. */
interface MeterOption {
  label: string
  value?: string
  options?: MeterOption[]
}

const optionsOf = (meters: ReadonlyMap<string, NamedMeter>) =>
  [...meters.values()].map(({ PeripheralUID, name }) => ({ value: PeripheralUID, label: name }))

import { Select } from 'antd'
import { useT } from '../../lib/i18n/i18n.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'
import styles from './electricity.module.css'
import { holdsLabel } from '../../lib/match-words.ts'

export interface MeterChoiceProps {
  /** Ids of meters and virtual meters. */
  selected: readonly string[]
  meters: ReadonlyMap<string, NamedMeter>
  /** Undefined while they load. */
  virtual: ReadonlyMap<string, NamedMeter> | undefined
  choose: (ids: readonly string[]) => void
}

interface MeterOption {
  label: string
  value?: string
  options?: MeterOption[]
}

export default function MeterChoice({ selected, meters, virtual, choose }: MeterChoiceProps) {
  const t = useT()
  const real = optionsOf(meters)
  return (
    <Select<string[], MeterOption>
      mode="multiple"
      aria-label={t('energy:meters')}
      className={styles.meterChoice ?? ''}
      placeholder={t('energy:allMeters')}
      value={[...selected]}
      maxTagCount="responsive"
      allowClear
      filterOption={holdsLabel}
      onChange={choose}
      options={
        virtual?.size
          ? [
              { label: t('energy:realMeters'), options: real },
              { label: t('energy:virtualMeters'), options: optionsOf(virtual) },
            ]
          : real
      }
    />
  )
}

const optionsOf = (meters: ReadonlyMap<string, NamedMeter>) =>
  [...meters.values()].map(({ PeripheralUID, name }) => ({ value: PeripheralUID, label: name }))

import { Select } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { NamedMeter } from '../../../domain/energy/use-names.ts'
import { holdsLabel } from '../../../ui/inputs/holds-label.ts'

export const MeterSelect: FC<{
  meters: readonly NamedMeter[]
  value: string | undefined
  onChange: (id: string) => void
  label: string
}> = ({ meters, value, onChange, label }) => {
  const t = useT()
  return (
    <Select
      showSearch
      filterOption={holdsLabel}
      aria-label={label}
      placeholder={t('meters:chooseMeter')}
      value={value ?? null}
      onChange={(id: string) => onChange(id)}
      options={meters.map(({ PeripheralUID, name }) => ({ value: PeripheralUID, label: name }))}
    />
  )
}

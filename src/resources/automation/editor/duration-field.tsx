import { InputNumber, Select, Space } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'

interface Props {
  label: string
  /** Seconds. */
  value: number
  onChange: (seconds: number) => void
  disabled?: boolean
}

const UNITS = { seconds: 1, minutes: 60, hours: 3600 } as const
type Unit = keyof typeof UNITS
/** Maximum in seconds: one day. */
const LONGEST = 86_400

const unitOf = (seconds: number): Unit =>
  seconds % 3600 === 0 && seconds > 0 ? 'hours' : seconds % 60 === 0 ? 'minutes' : 'seconds'

/** Duration of up to a day, in a unit that the user selects. */
export const DurationField: FC<Props> = ({ label, value, onChange, disabled = false }) => {
  const t = useT()
  const [chosen, setChosen] = useState<Unit>()
  // If the value is not a whole number in the selected unit, use one in which it is.
  const unit = chosen !== undefined && value % UNITS[chosen] === 0 ? chosen : unitOf(value)
  return (
    <Space.Compact block>
      <InputNumber<number>
        aria-label={label}
        disabled={disabled}
        style={{ width: '100%' }}
        min={0}
        max={LONGEST / UNITS[unit]}
        precision={0}
        value={value / UNITS[unit]}
        onChange={(figure) => onChange((figure ?? 0) * UNITS[unit])}
      />
      <Select<Unit>
        aria-label={t('automation:rule.edit.unitOf', { label })}
        disabled={disabled}
        style={{ width: 'auto', minWidth: 116 }}
        value={unit}
        options={(Object.keys(UNITS) as Unit[]).map((one) => ({
          value: one,
          label: t(`automation:rule.edit.units.${one}`),
        }))}
        onChange={(next) => {
          setChosen(next)
          onChange(Math.min((value / UNITS[unit]) * UNITS[next], LONGEST))
        }}
      />
    </Space.Compact>
  )
}

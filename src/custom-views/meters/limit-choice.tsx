import { Checkbox } from 'antd'
import { useState } from 'react'
import type { QuarantinedReading } from '../../../contract/meters/correction-calls.ts'
import { CEILING_KW } from '../../../contract/meters/validate-readings.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import page from '../../ui/page/page.module.css'

const HOUR = 3_600_000
/** Factor of the suggested limit over the highest power so far. */
const LIMIT_FACTOR = 1.2

/**
 * Limit in kW, rounded up to two significant digits, under which all of these readings are accepted; undefined unless they are one meter's and rose too
 * fast.
 */
export function limitFor(readings: readonly QuarantinedReading[]): number | undefined {
  const [first] = readings
  const powers = readings.map(({ Before, Value, Timestamp }) =>
    Before && Timestamp > Before.Timestamp
      ? ((Value - Before.kWh) * HOUR) / (Timestamp - Before.Timestamp)
      : 0,
  )
  const isOne = readings.every(
    ({ PeripheralUID, Reason }) => PeripheralUID === first?.PeripheralUID && Reason === 'jump',
  )
  const maxPower = Math.max(0, ...powers) * LIMIT_FACTOR
  if (!isOne || maxPower <= 0 || maxPower > CEILING_KW) return undefined
  const step = 10 ** Math.max(0, Math.floor(Math.log10(maxPower)) - 1)
  return Math.min(CEILING_KW, Math.ceil(maxPower / step) * step)
}

/** Checkbox and field that raise the maximum power of the meter of accepted readings, in kW. */
export function LimitChoice({
  suggested,
  choose,
}: {
  suggested: number
  choose: (limitKw: number | undefined) => void
}) {
  const t = useT()
  const [isRaised, setIsRaised] = useState(true)
  const [kw, setKw] = useState<number | null>(suggested)
  return (
    <div className={page.stack}>
      <p>{t('meters:quarantined.acceptText')}</p>
      <Checkbox
        checked={isRaised}
        onChange={({ target }) => {
          setIsRaised(target.checked)
          choose(target.checked ? (kw ?? undefined) : undefined)
        }}
      >
        {t('meters:quarantined.limit')}
      </Checkbox>
      {isRaised && (
        <NumberWithUnit
          aria-label={t('meters:quarantined.limitLabel')}
          unit="kW"
          min={0.001}
          max={CEILING_KW}
          value={kw}
          onChange={(next) => {
            setKw(next)
            choose(next ?? undefined)
          }}
        />
      )}
    </div>
  )
}

import { useT } from '../../providers/i18n.ts'
import { formatReading } from '../../lib/format-power.ts'
import { Figure, PowerValue } from '../../ui/power-value.tsx'
import { useDecimalPrecision } from './use-decimal-precision.ts'
import styles from './faces.module.css'
import type { Face } from './face.ts'

const number = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Power first, then what else the meter measures, each with its unit. */
const Meter: Face = ({ capability, status }) => {
  const t = useT()
  const decimals = useDecimalPrecision()
  const watts = number(status?.['Power'])
  return (
    <>
      <div className={styles.main}>
        {watts === undefined ? <Figure value="–" unit="kW" large /> : <PowerValue watts={watts} large />}
      </div>
      <dl className={styles.grid}>
        {Object.keys(capability.status)
          .filter((field) => field !== 'Power')
          .map((field) => (
            <div key={field}>
              <dt>{t(`devices:fields.${field as 'Voltage'}`)}</dt>
              <dd>
                <Figure
                  value={formatReading(number(status?.[field]), decimals)}
                  unit={capability.units[field]}
                />
              </dd>
            </div>
          ))}
      </dl>
    </>
  )
}
export default Meter

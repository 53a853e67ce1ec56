import type { FC } from 'react'
import { formatPower } from '../../lib/format-power.ts'
import styles from './figure.module.css'

/** A figure with its unit: tabular digits, the unit lighter. `value` is already formatted. */
export const Figure: FC<{ value: string; unit?: string | undefined; large?: boolean }> = ({
  value,
  unit,
  large,
}) => (
  <span className={large ? styles.large : styles.figure}>
    {value}
    {unit && <span className={styles.unit}>{unit}</span>}
  </span>
)

/** Power in kW by the rule of §5. `watts` is the reported value. */
export const PowerValue: FC<{ watts: number; large?: boolean }> = ({ watts, large }) => (
  <Figure value={formatPower(watts / 1000)} unit="kW" large={large ?? false} />
)

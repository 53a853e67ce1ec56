import type { FC } from 'react'
import {
  amountText,
  CURRENCY,
  formatPower,
  NO_VALUE,
  type FormattedAmount,
} from '../../../contract/kernel/numbers.ts'
import styles from './figure.module.css'

/** A figure with its unit: tabular digits, the unit lighter; a currency is before the figure. `value` is already formatted. */
export const Figure: FC<{ value: string; unit?: string | undefined; large?: boolean }> = ({
  value,
  unit,
  large,
}) =>
  unit === CURRENCY || unit === '%' ? (
    <span className={large ? styles.large : styles.figure}>{amountText({ figure: value, unit })}</span>
  ) : (
    <span className={large ? styles.large : styles.figure}>
      {value}
      {unit && <span className={styles.unit}>{unit}</span>}
    </span>
  )

/** An amount of the formatters as a `Figure`. */
export const AmountValue: FC<{ amount: FormattedAmount; large?: boolean }> = ({ amount, large }) => (
  <Figure value={amount.figure} unit={amount.unit} large={large ?? false} />
)

/** Power in kW by the rule of §5. `watts` is the reported value. */
export const PowerValue: FC<{ watts: number; large?: boolean }> = ({ watts, large }) => (
  <Figure value={formatPower(watts / 1000)} unit="kW" large={large ?? false} />
)

/** A dash in place of an unknown figure, with the reason in a tooltip and for screen readers. */
export const NoValue: FC<{ why: string }> = ({ why }) => (
  <span title={why}>
    <span aria-hidden="true">{NO_VALUE}</span>
    <span className="visually-hidden">{why}</span>
  </span>
)

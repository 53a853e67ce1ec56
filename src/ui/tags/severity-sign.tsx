import type { FC } from 'react'
import type { Severity } from '../../../contract/kernel/severity.ts'
import styles from './severity-sign.module.css'

/** Each severity has its own shape, so that it does not depend on colour alone. */
const FORMS: Record<Severity, string> = {
  critical: 'M5 1h6l4 4v6l-4 4H5l-4-4V5z',
  warning: 'M8 1.5 15.5 15H.5z',
  info: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z',
}
const MARKS: Record<Severity, string> = {
  critical: 'M8 4v5M8 11v1.4',
  warning: 'M8 6v4.2M8 12v1.2',
  info: 'M8 7v5M8 4v1.4',
}

/** Icon of a severity; its name is next to it. */
export const SeveritySign: FC<{ severity: Severity }> = ({ severity }) => (
  <svg className={styles.sign} data-severity={severity} viewBox="0 0 16 16" aria-hidden="true">
    <path d={FORMS[severity]} />
    <path className={styles.mark} d={MARKS[severity]} />
  </svg>
)

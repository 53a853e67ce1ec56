import type { FC, ReactNode } from 'react'
import page from '../../../ui/page/page.module.css'
import styles from './meters.module.css'

export const Field: FC<{
  label: string
  hint?: ReactNode
  fault?: string | undefined
  children: ReactNode
}> = ({ label, hint, fault, children }) => (
  <div className={`${page.column} ${styles.field}`}>
    {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the control is among the children */}
    <label>
      <span>{label}</span>
      {children}
    </label>
    {hint && <span className={page.hint}>{hint}</span>}
    {fault && (
      <span className={page.fault} role="alert">
        {fault}
      </span>
    )}
  </div>
)

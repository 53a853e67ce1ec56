import type { ReactNode } from 'react'
import styles from './plain-button.module.css'

/**
 * A button where Ant Design may not be there: in the shell, on the first screen, and for a part that could not be fetched.
 *
 * main   what a person most likely wants
 * small  beside a line of text
 */
export function PlainButton(props: {
  main?: boolean
  small?: boolean
  onClick: () => void
  children: ReactNode
}) {
  const { main = false, small = false, onClick, children } = props
  const classes = [styles.button, main && styles.main, small && styles.small]
  return (
    <button type="button" className={classes.filter(Boolean).join(' ')} onClick={onClick}>
      {children}
    </button>
  )
}

import type { ComponentProps } from 'react'
import styles from './plain-button.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'type'> {
  /** What a person most likely wants. */
  main?: boolean
  /** Beside a line of text. */
  small?: boolean
  /** Has an icon and no words: its `aria-label` says what it does. */
  square?: boolean
}

/** A button where Ant Design may not be there: in the shell, on the first screen, and for a part that could not be fetched. */
export function PlainButton({ main, small, square, className, ...rest }: Props) {
  const classes = [
    styles.button,
    main && styles.main,
    small && styles.small,
    square && styles.square,
    className,
  ]
  return <button type="button" className={classes.filter(Boolean).join(' ')} {...rest} />
}

import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import styles from './plain-button.module.css'

interface Looks {
  /** What a person most likely wants. */
  main?: boolean | undefined
  /** Cannot be undone, or tells of what went wrong. */
  danger?: boolean | undefined
  /** Beside a line of text. */
  small?: boolean | undefined
  /** Has an icon and no words: its `aria-label` says what it does. */
  square?: boolean | undefined
  /** Has no ground until it is pointed at. */
  bare?: boolean | undefined
}

/** A button where Ant Design may not be there: on screens that people open often, and for a part that could not be fetched. */
export const PlainButton = (props: Looks & Omit<ComponentProps<'button'>, 'type'>) => (
  <button type="button" {...dressed(props)} />
)

/** A link that looks like a `PlainButton`: it goes somewhere and does nothing. */
export const ButtonLink = (props: Looks & ComponentProps<typeof Link>) => <Link {...dressed(props)} />

/** Looks become classes; all else is for the element. */
function dressed<Props extends Looks & { className?: string | undefined }>(props: Props) {
  const { main, danger, small, square, bare, className, ...rest } = props
  const classes = [
    styles.button,
    main && styles.main,
    danger && styles.danger,
    small && styles.small,
    square && styles.square,
    bare && styles.bare,
    className,
  ]
  return { ...rest, className: classes.filter(Boolean).join(' ') }
}

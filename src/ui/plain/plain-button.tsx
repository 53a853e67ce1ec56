import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import styles from './plain-button.module.css'

interface Looks {
  /** Primary action. */
  main?: boolean | undefined
  /** Irreversible, or part of an error. */
  danger?: boolean | undefined
  /** Fits next to a line of text. */
  small?: boolean | undefined
  /** Icon only; `aria-label` describes the action. */
  square?: boolean | undefined
  /** No background until it is hovered. */
  bare?: boolean | undefined
}

/** Button without Ant Design: for screens that users open often, and for a part that could not be fetched. */
export const PlainButton = (props: Looks & Omit<ComponentProps<'button'>, 'type'>) => (
  <button type="button" {...buttonProps(props)} />
)

/** Link that looks like a `PlainButton`. */
export const ButtonLink = (props: Looks & ComponentProps<typeof Link>) => <Link {...buttonProps(props)} />

/** Converts looks to class names; other props go to the element. */
function buttonProps<Props extends Looks & { className?: string | undefined }>(props: Props) {
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

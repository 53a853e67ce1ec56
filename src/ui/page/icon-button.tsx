import { Button, Tooltip } from 'antd'
import { createContext, use, type FC, type ReactNode } from 'react'
import styles from './icon-button.module.css'

interface Props {
  icon: ReactNode
  /** Tooltip and accessible name: the action and its object. */
  label: string
  danger?: boolean
  loading?: boolean
  disabled?: boolean
  /** Reason why the button is disabled, shown as its tooltip; such a button stays focusable, so that the reason can be read. */
  reason?: string | undefined
  children?: ReactNode
  onPress: () => void
}

/** Set in the menu of a row: a function that closes it. */
export const InRowMenu = createContext<(() => void) | undefined>(undefined)

/** Small button in a row, or an item of the row's menu; its clicks do not reach the row, which would open. */
export const IconButton: FC<Props> = (props) => {
  const closeMenu = use(InRowMenu)
  return closeMenu ? <MenuItem {...props} close={closeMenu} /> : <SmallButton {...props} />
}

function MenuItem({
  icon,
  label,
  danger,
  loading,
  disabled,
  reason,
  onPress,
  close,
}: Props & { close: () => void }) {
  const isOff = Boolean(disabled || loading)
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-danger={danger}
      aria-disabled={isOff || undefined}
      title={reason}
      onClick={() => {
        if (isOff) return
        close()
        onPress()
      }}
    >
      {/* The icons have names of their own. */}
      <span aria-hidden="true">{icon}</span>
      <span>{label}</span>
    </button>
  )
}

const SmallButton: FC<Props> = ({ icon, label, reason, disabled = false, children, onPress, ...more }) => {
  const isExplained = disabled && reason !== undefined
  return (
    <Tooltip
      title={reason ?? label}
      mouseEnterDelay={0.4}
      trigger={isExplained ? ['hover', 'focus'] : 'hover'}
    >
      <Button
        type="text"
        icon={icon}
        {...more}
        aria-label={label}
        disabled={disabled && !isExplained}
        {...(isExplained && {
          'aria-disabled': true,
          'aria-description': reason,
          className: 'ant-btn-disabled',
        })}
        onClick={(event) => {
          event.stopPropagation()
          if (!disabled) onPress()
        }}
      >
        {children}
      </Button>
    </Tooltip>
  )
}

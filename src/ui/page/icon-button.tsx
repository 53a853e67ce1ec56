import { Button, Tooltip } from 'antd'
import type { FC, ReactNode } from 'react'

interface Props {
  icon: ReactNode
  /** What it does and to what: its tooltip, and what a screen reader says. */
  label: string
  danger?: boolean
  loading?: boolean
  disabled?: boolean
  /** Reason that the button is disabled, shown as its tooltip; with it the button can still be focused, to read it. */
  why?: string | undefined
  /** Beside the icon, where there is room for it. */
  children?: ReactNode
  onPress: () => void
}

/** A small button of a row; the row, which a click opens, hears nothing of it. */
export const IconButton: FC<Props> = ({ icon, label, why, disabled = false, children, onPress, ...more }) => {
  const isExplained = disabled && why !== undefined
  return (
    <Tooltip title={why ?? label} mouseEnterDelay={0.4} trigger={isExplained ? ['hover', 'focus'] : 'hover'}>
      <Button
        type="text"
        icon={icon}
        {...more}
        aria-label={label}
        disabled={disabled && !isExplained}
        {...(isExplained && {
          'aria-disabled': true,
          'aria-description': why,
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

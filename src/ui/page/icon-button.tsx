import { Button, Tooltip } from 'antd'
import type { FC, ReactNode } from 'react'

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

/** Small button in a row; its clicks do not reach the row, which would open. */
export const IconButton: FC<Props> = ({
  icon,
  label,
  reason,
  disabled = false,
  children,
  onPress,
  ...more
}) => {
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

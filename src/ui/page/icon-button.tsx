import { Button, Tooltip } from 'antd'
import type { FC, ReactNode } from 'react'

interface Props {
  icon: ReactNode
  /** What it does and to what: its tooltip, and what a screen reader says. */
  label: string
  danger?: boolean
  loading?: boolean
  disabled?: boolean
  /** Reason that the button is disabled, shown as its tooltip. */
  why?: string | undefined
  /** Beside the icon, where there is room for it. */
  children?: ReactNode
  onPress: () => void
}

/** A small button of a row; the row, which a click opens, hears nothing of it. */
export const IconButton: FC<Props> = ({ icon, label, why, children, onPress, ...more }) => (
  <Tooltip title={why ?? label} mouseEnterDelay={0.4}>
    <Button
      type="text"
      icon={icon}
      {...more}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation()
        onPress()
      }}
    >
      {children}
    </Button>
  </Tooltip>
)

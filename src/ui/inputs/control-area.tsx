import { ConfigProvider } from 'antd'
import type { FC, ReactNode } from 'react'
import page from '../page/page.module.css'
import { useNoControl } from './no-control.ts'

interface Props {
  /** Hides the sentence if there is no space for it; the controls have it as their title. */
  isQuiet?: boolean
  children: ReactNode
}

/** Disables the Ant Design controls in it while devices cannot be controlled, and shows the reason. */
export const ControlArea: FC<Props> = ({ isQuiet = false, children }) => {
  const reason = useNoControl()
  return (
    <ConfigProvider componentDisabled={reason !== undefined}>
      {children}
      {reason !== undefined && !isQuiet && (
        <p role="note" className={page.warning}>
          {reason}
        </p>
      )}
    </ConfigProvider>
  )
}

import { ConfigProvider } from 'antd'
import type { FC, ReactNode } from 'react'
import page from '../page/page.module.css'
import { useNoControl } from './no-control.ts'

interface Props {
  /** Hides the sentence if there is no space for it; the controls have it as their title. */
  quiet?: boolean
  children: ReactNode
}

/** Disables the Ant Design controls in it while devices cannot be controlled, and shows the reason. */
export const ControlArea: FC<Props> = ({ quiet = false, children }) => {
  const why = useNoControl()
  return (
    <ConfigProvider componentDisabled={why !== undefined}>
      {children}
      {why !== undefined && !quiet && (
        <p role="note" className={page.warning}>
          {why}
        </p>
      )}
    </ConfigProvider>
  )
}

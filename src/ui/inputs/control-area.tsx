import { ConfigProvider } from 'antd'
import type { FC, ReactNode } from 'react'
import page from '../page/page.module.css'
import { useNoControl } from './no-control.ts'

interface Props {
  /** Without the sentence, where there is no room for it: the controls have it as their title. */
  quiet?: boolean
  children: ReactNode
}

/** Disables the controls of Ant Design in it while devices cannot be controlled, and says why. */
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

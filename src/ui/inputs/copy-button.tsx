import { CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC, ReactNode } from 'react'
import { notices } from '../../data/notices.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'

interface Props {
  value: string
  /** What is copied, for who does not see the icon beside it. */
  label: string
  /** On the button, where it is not the icon alone. */
  children?: ReactNode
}

/** Copies a text to the clipboard, and says so. */
export const CopyButton: FC<Props> = ({ value, label, children }) => {
  const t = useT()
  return (
    <Button
      type={children === undefined ? 'text' : 'default'}
      icon={<CopyOutlined />}
      aria-label={children === undefined ? t('screens:copy', { what: label }) : undefined}
      onClick={() => copy(value)}
    >
      {children}
    </Button>
  )
}

/** Browsers have no clipboard on a page that came without TLS from another machine. */
const copy = (value: string): void =>
  void Promise.resolve(
    navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard')),
  ).then(
    () => notices.success(() => t('screens:copied')),
    () => notices.error(() => t('screens:copyFailed')),
  )

import { CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC, ReactNode } from 'react'
import { notices } from '../../data/notices.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'

interface Props {
  value: string
  /** Accessible name of the copied value. */
  label: string
  /** Content of the button; without it only an icon is shown. */
  children?: ReactNode
}

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

/** Browsers provide no clipboard on pages loaded from another host without TLS. */
const copy = (value: string): void =>
  void Promise.resolve(
    navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard')),
  ).then(
    () => notices.success(() => t('screens:copied')),
    () => notices.error(() => t('screens:copyFailed')),
  )

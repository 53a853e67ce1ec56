import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import type { MouseEvent } from 'react'
import { useT } from '../lib/i18n/i18n.ts'

interface Props {
  /** The record's, for who cannot see the buttons. */
  name: string
  edit: (() => void) | undefined
  remove: (() => void) | undefined
}

/** The buttons of one record of a list. */
export function RecordActions({ name, edit, remove }: Props) {
  const t = useT()
  /** The line itself opens the record. */
  const only = (work: () => void) => (event: MouseEvent) => {
    event.stopPropagation()
    work()
  }
  return (
    <Space size={4}>
      {edit && (
        <Button
          type="text"
          icon={<EditOutlined />}
          aria-label={t('screens:list.edit', { name })}
          onClick={only(edit)}
        />
      )}
      {remove && (
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('screens:list.remove', { name })}
          onClick={only(remove)}
        />
      )}
    </Space>
  )
}

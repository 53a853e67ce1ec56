import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Space } from 'antd'
import { useT } from '../lib/i18n/i18n.ts'
import { IconButton } from '../ui/page/icon-button.tsx'

interface Props {
  /** The record's, for who cannot see the buttons. */
  name: string
  edit: (() => void) | undefined
  remove: (() => void) | undefined
}

/** The buttons of one record of a list. */
export function RecordActions({ name, edit, remove }: Props) {
  const t = useT()
  return (
    <Space size={4}>
      {edit && <IconButton icon={<EditOutlined />} label={t('screens:list.edit', { name })} onPress={edit} />}
      {remove && (
        <IconButton
          danger
          icon={<DeleteOutlined />}
          label={t('screens:list.remove', { name })}
          onPress={remove}
        />
      )}
    </Space>
  )
}

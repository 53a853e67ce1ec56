import { SettingOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../lib/i18n/i18n.ts'

interface Props {
  columns: readonly { key: string; title: string }[]
  hidden: ReadonlySet<string>
  toggle: (column: string) => void
  /** Columns omitted because the list is too narrow. */
  omitted?: readonly string[]
}

/** Menu that shows and hides the columns of a list; stays open while the user chooses. */
export const ColumnMenu: FC<Props> = ({ columns, hidden, toggle, omitted = [] }) => {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <Dropdown
      open={open}
      onOpenChange={(next, { source }) => setOpen(source === 'menu' || next)}
      trigger={['click']}
      menu={{
        multiple: true,
        selectable: true,
        selectedKeys: columns.filter((column) => !hidden.has(column.key)).map((column) => column.key),
        items: columns.map((column) => ({
          key: column.key,
          label: omitted.includes(column.key)
            ? t('screens:list.noRoom', { column: column.title })
            : column.title,
          role: 'menuitemcheckbox',
          'aria-checked': !hidden.has(column.key),
        })),
        onClick: ({ key }) => toggle(key),
      }}
    >
      <Button
        icon={<SettingOutlined />}
        aria-label={t('screens:list.columns')}
        title={t('screens:list.columns')}
      />
    </Dropdown>
  )
}

import { Select } from 'antd'
import { useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { Modal } from '../../ui/page/dialog.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props<Value extends string | number> {
  title: string
  label: string
  ok: string
  options: readonly { value: Value; label: string }[]
  choose: (value: Value, label: string) => void
  close: () => void
}

/** Asks for the common target of the selected items, e.g. a room. */
export function ChooseDialog<Value extends string | number>(props: Props<Value>) {
  const { title, label, ok, options, choose, close } = props
  const t = useT()
  const [value, setValue] = useState<Value>()
  const option = options.find((candidate) => candidate.value === value)
  return (
    <Modal
      open
      title={title}
      okText={ok}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !option }}
      onOk={() => option && choose(option.value, option.label)}
      onCancel={close}
    >
      <Select<Value>
        showSearch
        filterOption={holdsLabel}
        className={page.fill ?? ''}
        {...(value !== undefined && { value })}
        placeholder={label}
        aria-label={label}
        onChange={setValue}
        options={[...options]}
      />
    </Modal>
  )
}

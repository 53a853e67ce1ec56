import { Select } from 'antd'
import styles from '../page/page.module.css'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props<Value extends string> {
  value: Value | undefined
  label: string
  placeholder: string
  options: readonly { value: Value; label: string }[]
  searches?: boolean
  onChange: (value: Value | undefined) => void
}

export function ChoiceFilter<Value extends string>(props: Props<Value>) {
  const { value, label, placeholder, options, searches = false, onChange } = props
  return (
    <Select<Value | null>
      allowClear
      popupMatchSelectWidth={false}
      {...(searches && { showSearch: true, filterOption: holdsLabel })}
      className={styles.choice ?? ''}
      value={value ?? null}
      placeholder={placeholder}
      aria-label={label}
      onChange={(next) => onChange(next ?? undefined)}
      options={[...options]}
    />
  )
}

import { Select } from 'antd'
import styles from '../page/page.module.css'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props<Value extends string> {
  value: Value | undefined
  label: string
  placeholder: string
  /** Purpose of the select, before its value: "Sort: ". */
  prefix?: string | undefined
  options: readonly { value: Value; label: string }[]
  searches?: boolean
  onChange: (value: Value | undefined) => void
}

export function ChoiceFilter<Value extends string>(props: Props<Value>) {
  const { value, label, placeholder, prefix, options, searches = false, onChange } = props
  return (
    <Select<Value | null>
      allowClear
      popupMatchSelectWidth={false}
      {...(searches && { showSearch: true, filterOption: holdsLabel })}
      className={styles.choice ?? ''}
      value={value ?? null}
      placeholder={placeholder}
      prefix={prefix && <span className={styles.muted}>{prefix}</span>}
      aria-label={label}
      onChange={(next) => onChange(next ?? undefined)}
      options={[...options]}
    />
  )
}

import DownOutlined from '@ant-design/icons-svg/es/asn/DownOutlined.js'
import { ReadOnlyField } from '../plain/read-only-field.tsx'
import { lazyPart } from '../page/lazy.tsx'
import page from '../page/page.module.css'
import type { BarFilter } from './bar-filter.ts'

/** While the select is being fetched, a closed field is shown. */
const ChoiceFilter = lazyPart(
  async () => ({ default: (await import('../inputs/choice-filter.tsx')).ChoiceFilter<string> }),
  {
    fallback: ({ value, placeholder, prefix = '', options }) => (
      <span className={page.choice}>
        <ReadOnlyField
          text={`${prefix}${options.find((option) => option.value === value)?.label ?? placeholder}`}
          icon={DownOutlined}
        />
      </span>
    ),
  },
)

interface Choice<Value extends string> {
  key: string
  label: string
  placeholder: string
  prefix?: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  /** Text of the chosen value if it differs from its option's label, e.g. if the options show counts. */
  chosenLabel?: string | undefined
  onChange: (value: Value | undefined) => void
}

/** With more options than this, the list can be searched. */
const MAX_OPTIONS_WITHOUT_SEARCH = 8

/** Filter with one of several values, or none. */
export function barChoice<Value extends string>(choice: Choice<Value>): BarFilter {
  const { key, label, placeholder, prefix, value, options, onChange } = choice
  const chosenLabel =
    value === undefined ? undefined : options.find((option) => option.value === value)?.label
  return {
    key,
    label,
    chosenLabel: choice.chosenLabel ?? chosenLabel,
    clear: () => onChange(undefined),
    input: (
      <ChoiceFilter
        value={value}
        label={label}
        placeholder={placeholder}
        prefix={prefix}
        options={options}
        searches={options.length > MAX_OPTIONS_WITHOUT_SEARCH}
        onChange={(next) => onChange(options.find((option) => option.value === next)?.value)}
      />
    ),
  }
}

import DownOutlined from '@ant-design/icons-svg/es/asn/DownOutlined.js'
import { ReadOnlyField } from '../plain/read-only-field.tsx'
import { lazyPart } from '../page/lazy-part.tsx'
import page from '../page/page.module.css'
import type { BarFilter } from './bar-filter.ts'

/** Until it is there, a box as it is closed stands in its place. */
const ChoiceFilter = lazyPart(
  async () => ({ default: (await import('../inputs/choice-filter.tsx')).ChoiceFilter<string> }),
  {
    meanwhile: ({ value, placeholder, options }) => (
      <span className={page.choice}>
        <ReadOnlyField
          text={options.find((one) => one.value === value)?.label ?? placeholder}
          icon={DownOutlined}
        />
      </span>
    ),
  },
)

interface Choice<Value extends string> {
  key: string
  label: string
  /** What stands there while nothing is chosen. */
  placeholder: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  /** The chosen one in words where they are others than in the list, which counts beside them. */
  chosen?: string | undefined
  onChange: (value: Value | undefined) => void
}

/** Options that are more than this are found by typing. */
const FEW = 8

/** A filter of which one of several values is chosen, or none. */
export function barChoice<Value extends string>(choice: Choice<Value>): BarFilter {
  const { key, label, placeholder, value, options, onChange } = choice
  const chosen = value === undefined ? undefined : options.find((one) => one.value === value)?.label
  return {
    key,
    label,
    chosen: choice.chosen ?? chosen,
    clear: () => onChange(undefined),
    input: (
      <ChoiceFilter
        value={value}
        label={label}
        placeholder={placeholder}
        options={options}
        searches={options.length > FEW}
        onChange={(next) => onChange(options.find((one) => one.value === next)?.value)}
      />
    ),
  }
}

import { Switch } from 'antd'
import page from '../page/page.module.css'
import type { BarFilter } from './bar-filter.ts'

interface Toggle {
  key: string
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Filter that is on or off. */
export const barSwitch = ({ key, label, checked, onChange }: Toggle): BarFilter => ({
  key,
  label,
  chosenLabel: checked ? label : undefined,
  clear: () => onChange(false),
  input: (
    <label className={`${page.tightRow} ${page.touch}`}>
      <Switch size="small" checked={checked} onChange={onChange} />
      {label}
    </label>
  ),
})

import { Input, Radio, Switch } from 'antd'
import { DIRECTIONS } from '../../../contract/access-control/access-pass.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FormField } from '../../record-kit/record-form.tsx'

export function useScannerFields(): readonly FormField[] {
  const t = useT()
  const yesOrNo = (is: unknown) => t(is ? 'access:scanner.yes' : 'access:scanner.no')
  return [
    { name: 'ScannerName', label: t('access:fields.ScannerName'), input: <Input maxLength={64} /> },
    {
      name: 'Direction',
      label: t('access:fields.Direction'),
      hint: t('access:scanner.bothHint'),
      input: (
        <Radio.Group
          // Passed on to the DOM element, although its types lack it: only this role allows the required attribute.
          {...{ role: 'radiogroup' }}
          optionType="button"
          options={DIRECTIONS.map((value) => ({ value, label: t(`access:directions.${value}`) }))}
        />
      ),
      describe: ({ Direction }) => t(`access:directions.${Direction as (typeof DIRECTIONS)[number]}`),
    },
    {
      name: 'AllEmployees',
      label: t('access:fields.AllEmployees'),
      hint: t('access:scanner.allHint'),
      input: <Switch />,
      valuePropName: 'checked',
      describe: ({ AllEmployees }) => yesOrNo(AllEmployees),
    },
    {
      name: 'AllowVisitors',
      label: t('access:fields.AllowVisitors'),
      input: <Switch />,
      valuePropName: 'checked',
      describe: ({ AllowVisitors }) => yesOrNo(AllowVisitors),
    },
  ]
}

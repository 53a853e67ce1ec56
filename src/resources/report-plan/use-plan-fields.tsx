import { InputNumber, Radio, Switch } from 'antd'
import { REPORT_KINDS } from '../../../contract/reports/calls.ts'
import { ReportPlan } from '../../../contract/reports/report-plan.ts'
import { useHomes } from '../../data/homes.ts'
import { PeopleSelect } from '../../domain/access/people-select.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

/** What is said of a plan. */
export function usePlanFields(): readonly FormField[] {
  const t = useT()
  const homes = useHomes() ?? []
  return [
    'ReportPlanName',
    {
      name: 'Kind',
      rule: ReportPlan.shape.Kind,
      input: (
        <Radio.Group
          {...{ role: 'radiogroup' }}
          aria-label={t('resources:reportPlan.fields.Kind')}
          optionType="button"
          options={REPORT_KINDS.map((kind) => ({
            value: kind,
            label: t(`resources:reportPlan.kinds.${kind}`),
          }))}
        />
      ),
    },
    {
      name: 'Homes',
      hint: t('resources:reportPlan.hints.homes'),
      input: (
        <FormSelect
          mode="multiple"
          filterOption={holdsLabel}
          options={homes.map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName }))}
        />
      ),
    },
    {
      name: 'Day',
      hint: t('resources:reportPlan.hints.day'),
      input: <InputNumber min={1} max={28} precision={0} />,
    },
    {
      name: 'Recipients',
      hint: t('resources:reportPlan.hints.recipients'),
      input: <PeopleSelect />,
    },
    { name: 'Enabled', input: <Switch />, valuePropName: 'checked' },
  ]
}

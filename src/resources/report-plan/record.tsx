import { t, useT } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { ReportPlan } from '../../../contract/reports/report-plan.ts'
import { useHomes } from '../../data/homes.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { InputNumber, Radio, Switch } from 'antd'
import { REPORT_KINDS } from '../../../contract/reports/calls.ts'
import { PeopleSelect } from '../../domain/access/people-select.tsx'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

const toneOf = ({ Enabled, Last }: ReportPlan): Tone =>
  !Enabled || !Last ? 'plain' : Last.Failed + Last.Waiting + Last.Skipped.length > 0 ? 'warning' : 'good'

/** Columns of the list of plans, with the next send date and the outcome of the last emails. */
function usePlanColumns(): readonly (ListTableColumn<ReportPlan> | keyof ReportPlan)[] {
  const t = useT()
  const homes = useHomes() ?? []
  const { when } = useFormatWhen()
  const lastOf = ({ Last }: ReportPlan) => {
    if (!Last) return t('resources:reportPlan.last.none')
    const { Period, Sent, Waiting, Failed, Skipped } = Last
    return [
      t('resources:reportPlan.last.sent', { period: Period, count: Sent }),
      ...(Waiting > 0 ? [t('resources:reportPlan.last.waiting', { count: Waiting })] : []),
      ...(Failed > 0 ? [t('resources:reportPlan.last.failed', { count: Failed })] : []),
      ...Skipped.map(({ Name, Reason }) => t(`resources:reportPlan.skipped.${Reason}`, { name: Name })),
    ].join(t('resources:reportPlan.last.and'))
  }
  return [
    'ReportPlanName',
    { key: 'Kind', text: ({ Kind }) => t(`resources:reportPlan.kinds.${Kind}`), width: 120 },
    {
      key: 'Homes',
      text: ({ Homes }) =>
        Homes.map((id) => homes.find(({ HomeID }) => HomeID === id)?.HomeName ?? id).join('、') ||
        t('resources:reportPlan.allHomes'),
    },
    { key: 'Recipients', text: ({ Recipients }) => Recipients.length, width: 96 },
    {
      key: 'next',
      text: ({ NextAt }) => (NextAt === null ? t('resources:reportPlan.off') : when(NextAt)),
      width: 160,
    },
    {
      key: 'last',
      text: lastOf,
      render: (plan) => <StateTag tone={toneOf(plan)}>{lastOf(plan)}</StateTag>,
      width: 260,
    },
  ]
}

/** Reports that are emailed automatically, with the outcome of the last emails. */
export default defineRecord({
  resource: 'reportPlan',
  columns: usePlanColumns,
  form: {
    presentation: 'modal',
    fields: usePlanFields,
    initial: { Kind: 'monthly', Homes: [], Day: 5, Recipients: [], Enabled: true },
  },
  remove: { consequence: () => t('resources:reportPlan.consequence') },
})

function usePlanFields(): readonly FormField[] {
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

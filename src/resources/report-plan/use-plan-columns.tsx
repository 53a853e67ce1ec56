import type { ReportPlan } from '../../../contract/reports/report-plan.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'

const toneOf = ({ Enabled, Last }: ReportPlan): Tone =>
  !Enabled || !Last ? 'plain' : Last.Failed + Last.Waiting + Last.Skipped.length > 0 ? 'warning' : 'good'

/** Plans with when they send next, and what became of the last letters. */
export function usePlanColumns(): readonly (ListTableColumn<ReportPlan> | keyof ReportPlan)[] {
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

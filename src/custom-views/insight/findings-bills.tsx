import { useMemo } from 'react'
import type { findings } from '../../../contract/findings/calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { BILL_KINDS } from '../../../contract/findings/finding-life.ts'
import { monthOfDay, parseDay, startOfMonth } from '../../../contract/time/periods.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { REST_COLOR, seriesColor } from '../../ui/chart/energy-colors.ts'
import { formatAxis, formatWhole } from '../../../contract/kernel/numbers.ts'
import { TimeChart } from '../../ui/chart/time-chart.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'

export type Evidence = ResultsOf<typeof findings.getFindingEvidence>

/** Whether the evidence of a finding is bills instead of days. */
export const isOfBills = ({ Unit, Finding }: Pick<Evidence, 'Unit' | 'Finding'>): boolean =>
  Unit === 'TWD' && BILL_KINDS.has(Finding.Kind)

/** Names of the two amounts of each bill. */
export function useBillNames({ Kind }: Pick<Evidence['Finding'], 'Kind'>): {
  present: string
  changed: string
} {
  const t = useT()
  // The bills that another plan is compared with have the best contract of the present plan.
  return {
    present: t(`insight:findings.bills.${Kind === 'plan' ? 'bestContract' : 'billed'}`),
    changed: t('insight:findings.bills.changed'),
  }
}

interface Props {
  evidence: Evidence
  zone: string
}

/** Bills of a finding as they are and with the change, in the month in which each begins. */
export function BillChart({ evidence: { Finding: finding, Days }, zone }: Props) {
  const t = useT()
  const now = useNow()
  const { present, changed } = useBillNames(finding)
  const months = useMemo(() => Days.map(({ Date }) => monthOfDay(parseDay(Date))), [Days])
  const series = useMemo(() => {
    const known = [...new Set(months)]
    const times = known.map((month) => startOfMonth(month, zone))
    const sumsOf = (side: 'Value' | 'Usual') =>
      known.map((month) =>
        Days.reduce<number | null>(
          (sum, day, i) => (months[i] === month && day[side] !== null ? (sum ?? 0) + day[side] : sum),
          null,
        ),
      )
    const bars = { draw: 'bars' as const, times }
    return [
      {
        ...bars,
        key: 'present',
        label: present,
        color: REST_COLOR,
        stack: 'present',
        values: sumsOf('Value'),
      },
      {
        ...bars,
        key: 'changed',
        label: changed,
        color: seriesColor(0),
        stack: 'changed',
        values: sumsOf('Usual'),
      },
    ]
  }, [Days, months, zone, present, changed])
  const axes = useMemo(
    () => [{ unit: 'NT$', fromZero: true, format: formatAxis, formatValue: formatWhole }] as const,
    [],
  )
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return null
  const label = t('insight:findings.bills.chart')
  return (
    <figure>
      <figcaption className={page.hint}>{label}</figcaption>
      <TimeChart
        label={label}
        zone={zone}
        from={startOfMonth(first, zone)}
        to={startOfMonth(last + 1, zone)}
        resolution="month"
        axes={axes}
        series={series}
        now={now}
        height={220}
      />
    </figure>
  )
}

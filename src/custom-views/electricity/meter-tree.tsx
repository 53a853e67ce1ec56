import { formatShare } from '../../../contract/kernel/numbers.ts'
import { Table } from 'antd'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import page from '../../ui/page/page.module.css'
import { MissingDataNote } from '../../domain/energy/missing-data.tsx'
import { homeOf, type MeterNode, silentParts } from './meter-forest.ts'
import type { RankedSeries } from './use-ranked.ts'
import { ChangeCell } from '../../domain/energy/change.tsx'
import { differenceOf, figureOf, totalPointsOf } from '../../domain/energy/totals.ts'
import { ENERGY_UNITS, FIGURE_FORMATS } from '../../domain/energy/use-figures.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'

interface Props {
  homeId: string
  forest: readonly MeterNode[]
  meters: ReadonlyMap<string, NamedMeter>
  measure: EnergyMeasure
  span: ChartView
  /** Figures per bar, with those of the compared period. */
  ranked: RankedSeries
}

/** Table of the meter tree with remainders; on phones only the chosen measure. */
export default function MeterTree({ homeId, forest, meters, measure, span, ranked }: Props) {
  const t = useT()
  const phone = usePhone()
  const now = useNow()
  const homeTotal = homeOf(forest, measure)
  const visibleMeasures = phone ? [measure] : ENERGY_MEASURES
  const { series = [], before, ends } = ranked
  const changeOf = ({ key, kind }: MeterNode) =>
    before && kind === 'meter'
      ? differenceOf(totalPointsOf(series, key), totalPointsOf(before, key), ends, now, measure)
      : undefined
  const name = ({ key, kind, total }: MeterNode) => {
    if (kind === 'meter') return meters.get(key)?.name ?? key
    if ((total.kWh ?? 0) >= 0) return <span className={page.small}>{t('energy:untracked')}</span>
    return (
      <span title={t('energy:negativeWhy')}>
        <StateTag tone="warning">{t('energy:negative')}</StateTag>
      </span>
    )
  }
  return (
    <Table<MeterNode>
      size="small"
      className={page.figures}
      rowKey="key"
      dataSource={[...forest]}
      pagination={false}
      expandable={{ defaultExpandAllRows: forest.length < 50, expandRowByClick: phone }}
      columns={[
        {
          key: 'name',
          title: t('energy:meter'),
          render: (_, node) => {
            const silentShare = silentParts(node, span, now)
            return (
              <span className={page.column}>
                <span>{name(node)}</span>
                <MissingDataNote coverage={node.total.Coverage} span={span} homeId={homeId} />
                {silentShare > 0 && (
                  <span className={`${page.small} ${page.warning}`}>
                    {t('energy:withSilent', { count: silentShare })}
                  </span>
                )}
              </span>
            )
          },
        },
        ...visibleMeasures.map((shownMeasure) => ({
          key: shownMeasure,
          title: ENERGY_UNITS[shownMeasure],
          align: 'right' as const,
          render: (_: unknown, { total }: MeterNode) =>
            FIGURE_FORMATS[shownMeasure](figureOf(total, shownMeasure)),
        })),
        ...(before
          ? [
              {
                key: 'change',
                title: t('electricity:ranking.change'),
                align: 'right' as const,
                render: (_: unknown, node: MeterNode) => {
                  const difference = changeOf(node)
                  return difference ? <ChangeCell difference={difference} measure={measure} /> : '–'
                },
              },
            ]
          : []),
        {
          key: 'share',
          title: t('energy:ofHome'),
          align: 'right' as const,
          render: (_, { total }) => {
            const value = figureOf(total, measure)
            return value === null || homeTotal <= 0 ? '–' : formatShare(value / homeTotal)
          },
        },
      ]}
    />
  )
}

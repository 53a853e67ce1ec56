import { energyText, formatFigure, formatWhole, withPlus } from '../../../contract/kernel/numbers.ts'
import { Button } from 'antd'
import { useState } from 'react'
import type { ExplanationRow, CHANGE_GROUPINGS } from '../../../contract/energy/insight-calls.ts'
import type { FlowLine } from '../../../contract/tariffs/explain-change.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { useNamedMeters, useSeriesNames } from '../../domain/energy/use-names.ts'
import page from '../../ui/page/page.module.css'
import styles from './insight.module.css'

/** Number of rows shown at first. */
const MAX_SHOWN = 12

interface Side {
  kWh: number
  Amount: number | null
}
interface Props {
  homeId: string
  by: (typeof CHANGE_GROUPINGS)[number]
  rows: readonly ExplanationRow[]
  now: Side
  base: Side
}

/** Steps as sentences with kWh, NT$ and a bar; they add up to the last line. */
export function ChangeTable({ homeId, by, rows, now, base }: Props) {
  const t = useT()
  const meters = useNamedMeters(homeId, useMeters(homeId).data ?? [])
  const { nameOf } = useSeriesNames(homeId, by, meters)
  const [all, setAll] = useState(false)
  const isPriced = now.Amount !== null && base.Amount !== null
  const sizeOf = (row: ExplanationRow) => (isPriced ? (row.Amount ?? 0) : row.kWh)
  const largest = Math.max(...rows.map((row) => Math.abs(sizeOf(row))))
  const sortedRows = rows.toSorted((a, b) => Math.abs(sizeOf(b)) - Math.abs(sizeOf(a)))
  const visibleRows = all ? sortedRows : sortedRows.slice(0, MAX_SHOWN)
  const energyCell = (kWh: number) => withPlus(kWh, { figure: formatFigure(kWh), unit: '' }).figure
  const moneyCell = (amount: number) => withPlus(amount, { figure: formatWhole(amount), unit: '' }).figure
  return (
    <>
      <div className={page.scroll}>
        <table className={`${page.table} ${page.figures} ${styles.lines}`}>
          <caption className="visually-hidden">{t('insight:change.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('insight:change.reason')}</th>
              <th scope="col" className={styles.number}>
                kWh
              </th>
              {isPriced && (
                <th scope="col" className={styles.number}>
                  NT$
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {visibleRows.map((row) => (
              <tr key={`${row.Kind} ${row.Key} ${row.State}`}>
                <th scope="row">
                  <Sentence row={row} name={row.Kind === 'line' ? nameOf(row.Key) : ''} />
                  <Bar share={largest > 0 ? sizeOf(row) / largest : 0} />
                </th>
                <td className={styles.number}>{energyCell(row.kWh)}</td>
                {isPriced && <td className={styles.number}>{moneyCell(row.Amount ?? 0)}</td>}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('insight:change.total')}</th>
              <td className={styles.number}>{energyCell(now.kWh - base.kWh)}</td>
              {isPriced && (
                <td className={styles.number}>{moneyCell((now.Amount ?? 0) - (base.Amount ?? 0))}</td>
              )}
            </tr>
          </tfoot>
        </table>
      </div>
      {!all && rows.length > MAX_SHOWN && (
        <Button onClick={() => setAll(true)}>{t('insight:change.showAll', { count: rows.length })}</Button>
      )}
    </>
  )
}

/** Bar to the left for less, to the right for more; -1 to 1. */
const Bar = ({ share }: { share: number }) => (
  <span className={styles.bar} aria-hidden="true">
    <span
      className={share < 0 ? styles.less : styles.more}
      style={{
        width: `${Math.abs(share) * 50}%`,
        insetInlineStart: share < 0 ? `${50 - Math.abs(share) * 50}%` : '50%',
      }}
    />
  </span>
)

function Sentence({ row, name }: { row: ExplanationRow; name: string }) {
  const t = useT()
  const values = { energy: energyText(Math.abs(row.kWh)), name }
  const direction = row.kWh >= 0 ? 'more' : 'less'
  switch (row.Kind) {
    case 'line':
      if (row.State === 'new') return t('insight:change.rows.new', values)
      if (row.State === 'removed') return t('insight:change.rows.removed', values)
      if (row.State === 'moved') return t(`insight:change.rows.moved.${direction}`, values)
      return t(`insight:change.rows.line.${direction}`, values)
    case 'flow':
      return t(`insight:change.rows.flow.${row.Key as FlowLine}.${direction}`, values)
    case 'demand':
      return t(`insight:change.rows.demand.${(row.Amount ?? 0) >= 0 ? 'more' : 'less'}`)
    case 'prices':
      return t(`insight:change.rows.prices.${(row.Amount ?? 0) >= 0 ? 'more' : 'less'}`)
    default:
      return t(`insight:change.rows.${row.Kind}.${direction}`, values)
  }
}

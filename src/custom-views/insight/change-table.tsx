import { ENERGY_UNITS } from '../../domain/energy/use-figures.ts'
import { PlainSegmented } from '../../ui/plain/plain-choice.tsx'
import { CHANGE_UNITS, type ChangeUnit } from './address.ts'
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

/** Number of steps shown at first; the smaller ones are one step. */
const MAX_SHOWN = 10
const NONE: readonly never[] = []

interface Side {
  kWh: number
  Amount: number | null
}
export interface ChangeTableProps {
  homeId: string
  by: (typeof CHANGE_GROUPINGS)[number]
  rows: readonly ExplanationRow[]
  now: Side
  base: Side
  /** Unit of the bars and of the order; energy if a part of the energy has no price. */
  unit: ChangeUnit
  chooseUnit: (unit: ChangeUnit) => void
}

/** Waterfall from the compared period to this one: steps as sentences with kWh, NT$ and a bar, the largest first; they add up to the last line. */
export function ChangeTable({ homeId, by, rows, now, base, unit, chooseUnit }: ChangeTableProps) {
  const t = useT()
  const meters = useNamedMeters(homeId, useMeters(homeId).data ?? NONE)
  const { nameOf } = useSeriesNames(homeId, by, meters, NONE)
  const [all, setAll] = useState(false)
  const isPriced = now.Amount !== null && base.Amount !== null
  const sizeOf = (of: Side) => (isPriced && unit === 'cost' ? (of.Amount ?? 0) : of.kWh)
  const sortedRows = rows.toSorted((a, b) => Math.abs(sizeOf(b)) - Math.abs(sizeOf(a)))
  const isCut = !all && rows.length > MAX_SHOWN
  const restRows = isCut ? sortedRows.slice(MAX_SHOWN) : []
  const steps = [
    ...sortedRows.slice(0, rows.length - restRows.length).map((row) => ({
      key: `${row.Kind} ${row.Key} ${row.State}`,
      of: row,
      text: <Sentence row={row} name={row.Kind === 'line' ? nameOf(row.Key) : ''} />,
    })),
    ...(isCut
      ? [{ key: 'rest', of: sumOf(restRows), text: t('insight:change.rest', { count: restRows.length }) }]
      : []),
  ]
  const total = { kWh: now.kWh - base.kWh, Amount: (now.Amount ?? 0) - (base.Amount ?? 0) }
  const bars = waterfall(steps.map(({ of }) => sizeOf(of)))
  const figures = (of: Side) => (
    <>
      <td>{signed(of.kWh, formatFigure)}</td>
      {isPriced && <td>{signed(of.Amount ?? 0, formatWhole)}</td>}
    </>
  )
  return (
    <>
      {isPriced && (
        <div>
          <PlainSegmented
            label={t('insight:change.unit')}
            value={unit}
            onChange={chooseUnit}
            options={CHANGE_UNITS.map((value) => ({ value, label: ENERGY_UNITS[value] }))}
          />
        </div>
      )}
      <table className={`${page.table} ${page.figures} ${page.amounts} ${styles.waterfall}`}>
        <caption className="visually-hidden">{t('insight:change.caption')}</caption>
        <thead>
          <tr>
            <th scope="col" colSpan={2}>
              {t('insight:change.reason')}
            </th>
            <th scope="col">kWh</th>
            {isPriced && <th scope="col">NT$</th>}
          </tr>
        </thead>
        <tbody>
          {steps.map(({ key, of, text }, i) => (
            <tr key={key}>
              <th scope="row">{text}</th>
              <Bar from={bars.sums[i] ?? 0} to={bars.sums[i + 1] ?? 0} {...bars} />
              {figures(of)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('insight:change.total')}</th>
            <Bar from={0} to={sizeOf(total)} isTotal {...bars} />
            {figures(total)}
          </tr>
        </tfoot>
      </table>
      {isCut && (
        <Button onClick={() => setAll(true)}>{t('insight:change.showAll', { count: rows.length })}</Button>
      )}
    </>
  )
}

const signed = (value: number, format: (value: number) => string): string =>
  withPlus(value, { figure: format(value), unit: '' }).figure

const sumOf = (rows: readonly ExplanationRow[]): Side => ({
  kWh: rows.reduce((sum, { kWh }) => sum + kWh, 0),
  Amount: rows.reduce((sum, { Amount }) => sum + (Amount ?? 0), 0),
})

/** Sums of a waterfall before its first step and after each one, and the lowest and highest of them. */
export function waterfall(steps: readonly number[]): { sums: number[]; low: number; high: number } {
  const sums = [0]
  for (const step of steps) sums.push((sums.at(-1) ?? 0) + step)
  return { sums, low: Math.min(...sums), high: Math.max(...sums) }
}

interface BarProps {
  /** Sums before and after the step. */
  from: number
  to: number
  /** Ends of the axis. */
  low: number
  high: number
  isTotal?: boolean
}

/** Floating bar of a step, with the line of no change. */
function Bar({ from, to, low, high, isTotal = false }: BarProps) {
  const at = (value: number) => `${high > low ? ((value - low) / (high - low)) * 100 : 0}%`
  return (
    <td className={styles.bar} aria-hidden="true">
      <span>
        <span className={styles.zero} style={{ insetInlineStart: at(0) }} />
        <span
          className={isTotal ? styles.sum : to < from ? styles.less : styles.more}
          style={{ insetInlineStart: at(Math.min(from, to)), width: at(low + Math.abs(to - from)) }}
        />
      </span>
    </td>
  )
}

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

import { formatShare } from '../../../contract/kernel/numbers.ts'
import { useStore, type Store } from '../../lib/store.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../page/page.module.css'
import styles from './chart.module.css'
import {
  valueWords as sayValue,
  type ChartAxis,
  type ChartColumn,
  type ChartModel,
  type Inset,
  type HoveredPoint,
} from './model.ts'
import { Swatch } from './legend.tsx'
import {
  tooltipRows,
  type TooltipRow,
  formatRangeOfMean,
  useMarkWords,
  useMomentWords,
} from './use-point-words.ts'

interface Props {
  pointed: Store<HoveredPoint | undefined>
  model: ChartModel
  moments: ArrayLike<number>
  columns: readonly ChartColumn[]
  summed: boolean
  layout: Store<Inset>
}

/** Maximum number of rows; if there are more, the largest values are shown. */
const LINES = 12
const percent = (share: number | null) => (share === null ? '' : formatShare(share))

/** A value; for a mean, with its range; with its unit if no heading shows it. */
function Value({ row, axis, alone: isOnly }: { row: TooltipRow; axis: ChartAxis; alone: boolean }) {
  const { value, range } = row
  if (value === null) return '–'
  return (
    <>
      {sayValue(axis, value)}
      {isOnly && ` ${axis.unit}`}
      {range && <small>{formatRangeOfMean(axis, range)}</small>}
    </>
  )
}

/** Values at the pointer: every series with its value, further figures and share, and the sum. */
export function ChartTooltip({ pointed, model, moments, columns, summed, layout }: Props) {
  const t = useT()
  const at = useStore(pointed)
  const inset = useStore(layout)
  const momentWords = useMomentWords(model)
  const marks = useMarkWords(model)
  const moment = at && moments[at.place]
  if (at === undefined || moment === undefined || model.series.length === 0) return null

  const { rows, sum } = tooltipRows(model, columns, moment, summed)
  const sorted = rows.length > LINES ? rows.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0)) : rows
  const shares = rows.some(({ share }) => share !== null)
  const x = inset.left + at.x
  // On the side with more space.
  const position =
    x > inset.width / 2
      ? { right: inset.width - x + 12, maxWidth: x - 12 }
      : { left: x + 12, maxWidth: inset.width - x - 12 }
  const [axis] = model.axes
  return (
    <div className={styles.tooltip} style={position} aria-hidden="true">
      <p className={page.muted}>
        {momentWords(moment)}
        {marks.ofMoment(rows, moment).map((mark) => (
          <span key={mark} className={styles.mark}>
            {mark}
          </span>
        ))}
      </p>
      <table>
        {columns.length > 0 && (
          <thead>
            <tr>
              <td>{'\u00a0'}</td>
              <th>{axis.unit}</th>
              {columns.map(({ key, label }) => (
                <th key={key}>{label}</th>
              ))}
              {shares && <th>{t('charts:share')}</th>}
            </tr>
          </thead>
        )}
        <tbody>
          {sorted.slice(0, LINES).map((row) => (
            <tr key={row.series.key}>
              <th>
                <Swatch
                  color={row.series.color}
                  draw={row.series.draw}
                  isFaint={row.series.isFaint ?? false}
                />
                {row.series.label}
                {row.trueTime !== undefined && (
                  <small>{[momentWords(row.trueTime), ...marks.ofPast(row)].join(' · ')}</small>
                )}
              </th>
              <td>
                <Value
                  row={row}
                  axis={model.axes[row.series.axis ?? 0] ?? axis}
                  alone={columns.length === 0}
                />
              </td>
              {columns.map(({ key, format }, i) => (
                <td key={key}>
                  {row.figures[i] === null || row.figures[i] === undefined ? '–' : format(row.figures[i])}
                </td>
              ))}
              {shares && <td>{percent(row.share)}</td>}
            </tr>
          ))}
        </tbody>
        {sum && rows.filter(({ series }) => !series.isFaint).length > 1 && (
          <tfoot>
            <tr>
              <th>{t('charts:sum')}</th>
              <td>
                {sum.value === null ? '–' : sayValue(axis, sum.value)}
                {columns.length === 0 && ` ${axis.unit}`}
              </td>
              {columns.map(({ key, format }, i) => (
                <td key={key}>
                  {sum.figures[i] === null || sum.figures[i] === undefined ? '–' : format(sum.figures[i])}
                </td>
              ))}
              {shares && <td>{'\u00a0'}</td>}
            </tr>
          </tfoot>
        )}
      </table>
      {sorted.length > LINES && <p>{t('charts:more', { count: sorted.length - LINES })}</p>}
    </div>
  )
}

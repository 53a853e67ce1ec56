import { formatFigure } from '../../../contract/kernel/numbers.ts'
import { SOURCES, type Source, type Use, USES } from '../../../contract/energy/balance.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  flows: readonly { From: Source; To: Use; kWh: number }[]
}

/** Energy from each source to each use, kWh, without sources and uses that a site does not have. */
export function BalanceTable({ flows }: Props) {
  const t = useT()
  const kwhOf = (from: Source | null, to: Use | null) =>
    flows.reduce(
      (sum, { From, To, kWh }) =>
        (from === null || from === From) && (to === null || to === To) ? sum + kWh : sum,
      0,
    )
  const sources = SOURCES.filter((from) => kwhOf(from, null) > 0)
  const uses = USES.filter((to) => kwhOf(null, to) > 0)
  const cell = (from: Source | null, to: Use | null) => (
    <td key={to ?? 'sum'}>{formatFigure(kwhOf(from, to))}</td>
  )
  return (
    <table className={`${page.table} ${page.figures} ${page.amounts}`}>
      <caption className={page.hint}>{t('balance:table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('balance:source')}</th>
          {uses.map((to) => (
            <th key={to} scope="col">
              {t(`balance:uses.${to}`)}
            </th>
          ))}
          <th scope="col">{t('balance:sum')}</th>
        </tr>
      </thead>
      <tbody>
        {sources.map((from) => (
          <tr key={from}>
            <th scope="row">{t(`balance:sources.${from}`)}</th>
            {uses.map((to) => cell(from, to))}
            {cell(from, null)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('balance:sum')}</th>
          {uses.map((to) => cell(null, to))}
          {cell(null, null)}
        </tr>
      </tfoot>
    </table>
  )
}

import {
  amountText,
  energyText,
  formatFigure,
  formatLimit,
  formatWhole,
} from '../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Card } from 'antd'
import { Link } from 'react-router'
import { findings, type SavingHeadline, type SavingProof } from '../../../contract/findings/calls.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate, useFormatPeriod } from '../../ui/page/format-when.ts'
import { SavingAmount } from '../../domain/finding/saving-amount.tsx'
import { ListExport } from '../../record-kit/export/list-export.tsx'
import { PriceAge } from '../../domain/tariff/price-age.tsx'
import {
  describeNone,
  formatSaving,
  useFindingWords,
  usePlanName,
} from '../../domain/finding/use-finding-words.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'

/** Possible saving of a home per month and its derivation, or the data that is missing. */
export function FindingsSaving({ homeId }: { homeId: string }) {
  const t = useT()
  const query = useQuery(callQuery(findings.getSaving, { HomeID: homeId }))
  const { data } = query
  return (
    <Card title={t('insight:findings.title')}>
      {data ? (
        <SavingOverview saving={data} homeId={homeId} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={3} />
      )}
    </Card>
  )
}

function SavingOverview({ saving, homeId }: { saving: SavingHeadline; homeId: string }) {
  const t = useT()
  const date = useFormatDate()
  const { gapText: lackOf } = useFindingWords()
  const { State, AsOf, Partly, Lacks, Verified, Proof, Prices } = saving
  return (
    <div className={page.stack}>
      {State === 'found' && <SavingAmount saving={saving} />}
      {State === 'none' && (
        <p className={page.note}>
          {describeNone(t, saving)} {t('insight:findings.noneNote')}
        </p>
      )}
      {Lacks.map((gap) => (
        <Alert
          key={gap.Reason}
          type="info"
          showIcon
          message={lackOf(gap)}
          {...(gap.Reason === 'tariff' && {
            action: <Link to={pathTo('Tariff', { HomeID: homeId })}>{t('insight:findings.toTariff')}</Link>,
          })}
        />
      ))}
      {Partly && <p className={page.warning}>{t('insight:findings.partly')}</p>}
      {Verified.Count > 0 && (
        <p className={page.note}>
          {t('insight:findings.verified', { amount: formatSaving(Verified.Amount), count: Verified.Count })}
        </p>
      )}
      {State !== 'tooLittle' && AsOf !== null && (
        <p className={page.hint}>{t('insight:findings.asOf', { day: date(AsOf) })}</p>
      )}
      {State === 'found' && <PriceAge prices={Prices} />}
      {State === 'found' && Proof && <Proved proof={Proof} />}
    </div>
  )
}

/** Bills whose difference is the headline. */
function Proved({ proof }: { proof: SavingProof }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const planName = usePlanName()
  const { Basis, Bills, Then } = proof
  const sum = (of: (bill: (typeof Bills)[number]) => number) => Bills.reduce((all, bill) => all + of(bill), 0)
  const kw = Then.Capacities.regular
  return (
    <details>
      <summary>{t('insight:findings.proof')}</summary>
      <p className={page.hint}>
        {t(Basis === 'year' ? 'insight:findings.howYear' : 'insight:findings.howDays')}
      </p>
      {proof.IsBestContract && <p className={page.hint}>{t('insight:findings.bestContract')}</p>}
      <p className={page.hint}>
        {t('insight:findings.then', {
          plan: planName(Then.PlanID),
          kw: kw === undefined ? t('insight:findings.noContract') : amountText(formatLimit(kw, 'kW')),
          factor:
            Then.PowerFactor === null
              ? t('insight:findings.notBilled')
              : `${formatFigure(Then.PowerFactor)}%`,
        })}
      </p>
      <div className={page.scroll}>
        <table className={`${page.table} ${page.figures} ${page.amounts}`}>
          <thead>
            <tr>
              <th scope="col">{t('insight:findings.bill')}</th>
              {(['was', 'without'] as const).map((side) => (
                <th key={side} scope="col">
                  {t(`insight:findings.${side}`)} (NT$)
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Bills.map(({ From, Through, Was, Without }) => (
              <tr key={From}>
                <th scope="row">{daysText(From, Through)}</th>
                <td>{formatWhole(Was)}</td>
                <td>{formatWhole(Without)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('insight:findings.total')}</th>
              <td>{formatWhole(sum(({ Was }) => Was))}</td>
              <td>{formatWhole(sum(({ Without }) => Without))}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      {proof.UnionKwh > 0 && <TakenOff proof={proof} />}
    </details>
  )
}

/** Energy that the second bills leave out, per 15 minutes, with a file to recompute them. */
function TakenOff({ proof: { Union, UnionDays, UnionKwh } }: { proof: SavingProof }) {
  const t = useT()
  const rows = [
    ...Union.map(({ Class, kWh }) => ({ day: t(`tariff:days.${Class}`), kWh })),
    ...UnionDays.map(({ Date, kWh }) => ({ day: Date, kWh })),
  ].flatMap(({ day, kWh }) => kWh.map((energy, i) => ({ day, number: i + 1, kWh: energy })))
  return (
    <div className={page.wideRow}>
      <span className={page.hint}>{t('insight:findings.union.sum', { energy: energyText(UnionKwh) })}</span>
      <ListExport
        name={t('insight:findings.union.name')}
        right={{ feature: 'electricity_download', operation: 'Export' }}
        rows={rows}
        columns={[
          { title: t('insight:findings.union.day'), of: ({ day }) => day },
          { title: t('insight:findings.union.interval'), of: ({ number }) => number },
          { title: 'kWh', of: ({ kWh }) => kWh },
        ]}
      />
    </div>
  )
}

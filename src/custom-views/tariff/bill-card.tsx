import { useReadingFormat } from '../../domain/energy/use-figures.ts'
import {
  amountText,
  CURRENCY,
  formatComplete,
  formatFigure,
  formatNumber,
  formatPrice,
} from '../../../contract/kernel/numbers.ts'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Alert, Button, Card } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { bills } from '../../../contract/tariffs/bill-calls.ts'
import { MIN_KNOWN_PERIOD_SHARE } from '../../../contract/tariffs/advice.ts'
import { BILL_ITEMS } from '../../../contract/tariffs/bill.ts'
import { dayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import { useFormatDate, useFormatPeriod } from '../../ui/page/format-when.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { ImportLink } from '../../ui/page/page-links.tsx'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { PriceAge } from '../../domain/tariff/price-age.tsx'
import { factorsOf, useLineName, type Bill, type Line } from './bill-words.ts'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { tariffAddress, useTariffAddress } from './use-tariff.ts'
import type { FC } from 'react'
import { ListExport } from '../../record-kit/export/list-export.tsx'

/** Exports the lines of a bill to a file, with the figures of their computation. */
const BillExport: FC<{ bill: Bill; zone: string }> = ({ bill, zone }) => {
  const t = useT()
  const nameOf = useLineName()
  const name = t('tariff:bill.of', { from: bill.From, through: bill.Through })
  const { ComputedPercent: percent } = bill
  return (
    <ListExport<Line>
      // The file's name states that the bill is partly computed, because the file has no notice.
      name={percent === undefined ? name : t('tariff:bill.partlyComputed', { name, percent })}
      right={{ feature: 'electricity_download', operation: 'Export' }}
      zone={zone}
      rows={bill.Lines}
      columns={[
        { title: t('tariff:bill.item'), of: nameOf },
        {
          title: t('tariff:own.season'),
          of: ({ Season }) => (Season === null ? null : t(`tariff:seasons.${Season}`)),
        },
        { title: t('tariff:from'), of: ({ ValidFrom }) => ValidFrom },
        { title: t('tariff:bill.quantity'), of: ({ Quantity }) => Quantity },
        { title: t('tariff:bill.unit'), of: ({ Unit }) => t(`tariff:units.${Unit}`) },
        { title: t('tariff:bill.price'), of: ({ Price }) => Price },
        { title: t('tariff:bill.factor'), of: ({ Factor }) => Factor },
        { title: t('tariff:bill.amount'), of: ({ Amount }) => Amount },
      ]}
    />
  )
}

/** Bill of the period that contains a day, line by line, with navigation to the previous and next one. */
export function BillCard({ homeId }: { homeId: string }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const zone = useTimeZone(homeId)
  const now = useNow()
  const today = zone === undefined ? undefined : dayOf(now, zone)
  const { detail, setDetail } = useTariffAddress()
  const setDate = (next: string) => setDetail('date', next)
  const day = detail('date') ?? (today === undefined ? undefined : formatDay(today))
  const query = useQuery({
    ...callQuery(bills.getBill, { HomeID: homeId, Date: day ?? '2026-01-01' }),
    enabled: day !== undefined,
  })
  const { data } = query
  const running = data && today !== undefined && parseDay(data.Through) >= today
  return (
    <Card
      title={data ? t('tariff:bill.of', { days: daysText(data.From, data.Through) }) : t('tariff:tabs.bill')}
      extra={
        <span className={`${page.row} ${styles.row}`}>
          <Button
            icon={<LeftOutlined />}
            aria-label={t('tariff:bill.before')}
            disabled={!data}
            onClick={() => data && setDate(formatDay(parseDay(data.From) - 1))}
          />
          <Button
            icon={<RightOutlined />}
            aria-label={t('tariff:bill.after')}
            disabled={!data || running}
            onClick={() => data && setDate(formatDay(parseDay(data.Through) + 1))}
          />
        </span>
      }
    >
      <div className={`${page.spread} ${page.below16}`}>
        <label className={`${page.row} ${styles.row}`}>
          {t('tariff:bill.day')}
          <span className={styles.picker}>
            <DayField
              zone={zone}
              value={day ?? ''}
              {...(today !== undefined && { max: formatDay(today) })}
              change={setDate}
            />
          </span>
        </label>
        <Link className={page.touch} to={pathTo('UtilityBills', { HomeID: homeId })}>
          {t('tariff:bill.utility')}
        </Link>
        {data && zone !== undefined && <BillExport bill={data} zone={zone} />}
      </div>
      {data ? (
        <BillLines homeId={homeId} bill={data} running={running === true} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </Card>
  )
}

function BillLines({ homeId, bill, running }: { homeId: string; bill: Bill; running: boolean }) {
  const t = useT()
  const figure = useReadingFormat()
  const decimals = useDecimalPrecision()
  if (bill.PeakDays)
    return (
      <EmptyState
        message={t('tariff:bill.peakDays', {
          year: bill.PeakDays.Year,
          known: bill.PeakDays.Known,
          needed: bill.PeakDays.Needed,
        })}
        next={<ButtonLink to={tariffAddress(homeId, 'rules')}>{t('tariff:peakDays.title')}</ButtonLink>}
      />
    )
  if (bill.Lines.length === 0)
    return (
      <EmptyState
        message={t('tariff:bill.none')}
        next={<ButtonLink to={tariffAddress(homeId, 'home')}>{t('tariff:tabs.home')}</ButtonLink>}
      />
    )
  const energyKnown = bill.EnergyKnown ?? bill.Known
  const chartParams = { range: `${bill.From}..${bill.Through}`, by: 'band', measure: 'cost' }
  return (
    <div className={`${page.stack} ${page.tightStack}`}>
      {running && <Alert type="info" showIcon message={t('tariff:bill.running')} />}
      {bill.DaysWithoutTariff > 0 && (
        <Alert
          type="warning"
          showIcon
          message={t('tariff:bill.without', { count: bill.DaysWithoutTariff })}
        />
      )}
      {bill.EnergyKnown !== undefined && bill.Known < MIN_KNOWN_PERIOD_SHARE && (
        <Alert
          type="warning"
          showIcon
          message={t('tariff:bill.hours', { known: formatComplete(bill.Known) })}
          description={t('tariff:bill.hoursWhy')}
        />
      )}
      <BeingComputed percent={bill.ComputedPercent} />
      <PriceAge prices={bill.Prices} />
      <p className={!running && energyKnown < 1 ? `${page.note} ${page.warning}` : page.note}>
        {t('tariff:bill.counted', { kwh: formatFigure(bill.kWh), known: formatComplete(energyKnown) })}{' '}
        <Link
          className={page.touch}
          to={`${pathTo('Electricity', { HomeID: homeId })}?${new URLSearchParams(chartParams)}`}
        >
          {t('tariff:bill.used')}
        </Link>{' '}
        {!running && energyKnown < 1 && <ImportLink homeId={homeId} className={page.touch} />}
      </p>
      <table className={`${page.table} ${page.figures} ${page.amounts} ${styles.lines}`}>
        <thead>
          <tr>
            <th scope="col">{t('tariff:bill.item')}</th>
            <th scope="col">{t('tariff:bill.calculation')}</th>
            <th scope="col">{t('tariff:bill.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {bill.Lines.map((line, i) => (
            <BillRow key={i} homeId={homeId} bill={bill} line={line} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={2}>{t('tariff:bill.total')}</td>
            <td>
              {bill.ComputedPercent !== undefined && `${t('energy:atLeast')} `}
              {amountText({ figure: figure(bill.Total), unit: CURRENCY })}
            </td>
          </tr>
        </tfoot>
      </table>
      {bill.Sold && (
        <p>
          {bill.Sold.Income === null
            ? t('tariff:bill.soldUnpriced', { kwh: formatFigure(bill.Sold.kWh) })
            : t('tariff:bill.sold', { kwh: formatFigure(bill.Sold.kWh), income: figure(bill.Sold.Income) })}
        </p>
      )}
      {decimals < 2 && <p className={page.note}>{t('tariff:bill.rounded', { decimals })}</p>}
      <details>
        <summary>{t('tariff:bill.explain')}</summary>
        <dl className={`${page.tightStack} ${page.above16}`}>
          {BILL_ITEMS.filter((item) => bill.Lines.some(({ Item }) => Item === item)).map((item) => (
            <div key={item}>
              <dt>{item === 'tier' ? t('tariff:kinds.tiered') : t(`tariff:items.${item}`)}</dt>
              <dd>{t(`tariff:explained.${item}`)}</dd>
            </div>
          ))}
        </dl>
        {bill.Lines.some(({ Item, Factor }) => Item !== 'powerFactor' && Factor !== 1) && (
          <p className={page.note}>{t('tariff:bill.factors')}</p>
        )}
      </details>
    </div>
  )
}

function BillRow({ homeId, bill, line }: { homeId: string; bill: Bill; line: Line }) {
  const t = useT()
  const date = useFormatDate()
  const figure = useReadingFormat()
  const nameOf = useLineName()
  return (
    <tr>
      <td>
        {nameOf(line)}
        <br />
        <small className={page.note}>
          {line.Season && `${t(`tariff:seasons.${line.Season}`)} · `}
          {t('tariff:bill.table', { date: date(line.ValidFrom) })}
        </small>
        {line.Item === 'overCapacity' && (
          <>
            <br />
            <Link
              className={page.touch}
              to={tariffAddress(homeId, 'demand', { month: bill.From.slice(0, 7) })}
            >
              {t('tariff:bill.peaks')}
            </Link>
          </>
        )}
      </td>
      <td>
        {line.Item === 'powerFactor'
          ? `${line.Quantity} × ${line.Factor * 100}% × ${formatPrice(line.Price)}`
          : [
              `${formatNumber(line.Quantity, 3)} ${t(`tariff:units.${line.Unit}`)}`,
              formatPrice(line.Price),
              ...factorsOf(line, bill).map((factor) => formatNumber(factor, 4)),
            ].join(' × ')}
      </td>
      <td>{figure(line.Amount)}</td>
    </tr>
  )
}

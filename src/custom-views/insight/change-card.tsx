import { energyText, formatChange, formatComplete, moneyText } from '../../../contract/kernel/numbers.ts'
import { Card, Select } from 'antd'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { COMPARISON_BASES, CHANGE_GROUPINGS, insight } from '../../../contract/energy/insight-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT, t as tNow } from '../../lib/i18n/i18n.ts'
import { useFormatPeriod } from '../../ui/page/format-when.ts'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { PeriodPicker } from '../../ui/inputs/period-picker/period-picker.tsx'
import { usePeriod } from '../../ui/inputs/period-picker/use-period.ts'
import { ImportLink } from '../../ui/page/page-links.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import { useInsightAddress } from './address.ts'
import { ChangeTable, type ChangeTableProps } from './change-table.tsx'
import { NoPrice } from '../../domain/tariff/no-price.tsx'
import { percentageOf } from '../../../contract/energy/coverage.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useQuantityWords } from '../../domain/history/quantity-words.ts'

/** Value for no fixed sensor: devices that report outdoor temperature are used. */
const NONE = ''

/** Selects the sensor for the outdoor temperature, if the user may change the home's energy settings. */
function OutdoorChoice({ homeId }: { homeId: string }) {
  const t = useT()
  const may = useMay('electricity', 'Update')
  const { quantityName } = useQuantityWords()
  const { data } = useQuery(callQuery(insight.getOutdoorSensor, { HomeID: homeId }))
  const { busy, run } = useAction(insight.updateOutdoorSensor)
  if (!data) return null
  const { Sensor, Candidates } = data
  // A chosen sensor that no longer reports stays selected.
  const isMissing = Sensor !== null && !Candidates.some((candidate) => keyOf(candidate) === keyOf(Sensor))
  if (!may || (Candidates.length === 0 && Sensor === null))
    return Candidates.length === 0 ? <p className={page.hint}>{t('insight:outdoor.noneMeasured')}</p> : null
  const options = [
    { value: NONE, label: t('insight:outdoor.none') },
    ...Candidates.map((candidate) => ({
      value: keyOf(candidate),
      label: t('insight:outdoor.option', {
        device: candidate.PeripheralName,
        quantity: quantityName({ ...candidate, RoomID: null, Quantities: [] }, candidate),
      }),
    })),
    ...(isMissing
      ? [{ value: keyOf(Sensor), label: t('insight:outdoor.gone', { id: Sensor.PeripheralUID }) }]
      : []),
  ]
  const selectSensor = (key: string) => {
    const selected = Candidates.find((candidate) => keyOf(candidate) === key)
    if (key !== NONE && !selected) return
    const next = selected ? { PeripheralUID: selected.PeripheralUID, Field: selected.Field } : null
    void run({ HomeID: homeId, Sensor: next, Seen: Sensor }, () => tNow('insight:outdoor.saved'))
  }
  return (
    <label className={page.row}>
      <span className={page.hint}>{t('insight:outdoor.label')}</span>
      <Select
        aria-label={t('insight:outdoor.label')}
        value={Sensor ? keyOf(Sensor) : NONE}
        disabled={busy}
        popupMatchSelectWidth={false}
        options={options}
        onChange={selectSensor}
      />
    </label>
  )
}

const keyOf = ({ PeripheralUID, Field }: { PeripheralUID: string; Field: string }): string =>
  `${PeripheralUID} ${Field}`

type Change = ResultsOf<typeof insight.explainChange>
type Compared = NonNullable<Change['Now']>

/** Explains step by step why a period used and cost more or less than another. */
export function ChangeCard({ homeId, zone }: { homeId: string; zone: string }) {
  const t = useT()
  const now = useNow()
  const { value, onChange, period } = usePeriod(zone, now, 'month')
  const { against, by, unit, change } = useInsightAddress()
  const query = useQuery({
    ...callQuery(insight.explainChange, {
      HomeID: homeId,
      From: period.from,
      To: period.to,
      Against: against,
      By: by,
    }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <Card title={t('insight:change.title')}>
      <div className={page.stack}>
        <div className={page.wideRow}>
          <PeriodPicker value={value} onChange={onChange} zone={zone} />
          <Select
            aria-label={t('insight:change.against')}
            value={against}
            popupMatchSelectWidth={false}
            onChange={(next) => change('against', next)}
            options={COMPARISON_BASES.filter((option) => option !== 'weekBefore' || option === against).map(
              (grouping) => ({
                value: grouping,
                label: t(`insight:change.periods.${grouping}`),
              }),
            )}
          />
          <Select
            aria-label={t('insight:change.by')}
            value={by}
            popupMatchSelectWidth={false}
            onChange={(next) => change('by', next)}
            options={CHANGE_GROUPINGS.map((option) => ({ value: option, label: t(`energy:by.${option}`) }))}
          />
        </div>
        {query.error && !data ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : data ? (
          <div
            className={query.isPlaceholderData ? page.stale : undefined}
            aria-busy={query.isPlaceholderData}
          >
            <BeingComputed percent={data.ComputedPercent} isSum={false} />
            <Explained
              homeId={homeId}
              change={data}
              by={by}
              unit={unit}
              chooseUnit={(next) => change('unit', next)}
              // Not while another comparison loads.
              isOther={!query.isPlaceholderData && data.Against !== against}
            />
          </div>
        ) : (
          <ListSkeleton rows={8} />
        )}
      </div>
    </Card>
  )
}

interface ExplainedProps extends Pick<ChangeTableProps, 'homeId' | 'by' | 'unit' | 'chooseUnit'> {
  change: Change
  /** Whether the compared period differs from the requested one. */
  isOther: boolean
}

function Explained({ change, isOther, ...props }: ExplainedProps) {
  const t = useT()
  const daysText = useFormatPeriod()
  const { Now, Base, Rows, Weather, HasBalance, PeakDays } = change
  if (!Now || !Base) return <EmptyState message={t('insight:change.notOver')} />
  if (Now.Known === 0 || Base.Known === 0)
    return (
      <EmptyState
        message={t(Now.Known === 0 ? 'insight:change.unknownNow' : 'insight:change.unknownBase', {
          days: daysText(
            Now.Known === 0 ? Now.From : Base.From,
            Now.Known === 0 ? Now.Through : Base.Through,
          ),
        })}
        next={<ImportLink homeId={props.homeId} />}
      />
    )
  return (
    <div className={page.stack}>
      {isOther && <p className={page.warning}>{t('insight:change.other')}</p>}
      <Difference now={Now} base={Base} isBought={HasBalance} />
      {Rows.length === 0 ? (
        <EmptyState message={t('insight:change.none')} />
      ) : (
        <ChangeTable {...props} rows={Rows} now={Now} base={Base} />
      )}
      <div className={page.column}>
        <p className={page.hint}>{t(`insight:change.weather.${Weather}`)}</p>
        <OutdoorChoice homeId={props.homeId} />
        {(Now.Amount === null || Base.Amount === null) && (
          <NoPrice homeId={props.homeId} of="change" peakDays={PeakDays} />
        )}
        <p className={page.hint}>{t('insight:change.how')}</p>
      </div>
    </div>
  )
}

/** Energy and cost of both periods and their difference; purchased energy for a home with a balance. */
function Difference({ now, base, isBought }: { now: Compared; base: Compared; isBought: boolean }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const percent = changeInPercent(now, base)
  const complete = { now: formatComplete(now.Complete), base: formatComplete(base.Complete) }
  return (
    <div className={page.column}>
      <dl className={`${page.tiles} ${page.measures}`}>
        {[
          { name: t('insight:change.now'), of: now },
          { name: t('insight:change.base'), of: base },
        ].map(({ name, of }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {daysText(of.From, of.Through)}
              <br />
              <strong className={page.figures}>
                {energyText(of.kWh)}
                {of.Amount === null ? '' : ` · ${moneyText(of.Amount)}`}
              </strong>
            </dd>
          </div>
        ))}
      </dl>
      {isBought && <p className={page.hint}>{t('insight:change.bought')}</p>}
      {percent === undefined ? (
        base.kWh > 0 && <p className={page.warning}>{t('insight:change.noPercent', complete)}</p>
      ) : (
        <p className={page.note}>
          {t(
            `insight:change.${isBought ? 'percentBought' : 'percentUsed'}.${percent.isExact ? 'plain' : 'about'}`,
            { share: formatChange(percent.share), ...complete },
          )}
        </p>
      )}
    </div>
  )
}

interface Side {
  kWh: number
  Complete: number
}

/** Relative change between two periods; undefined if too little of either is known, or the base is not above zero. */
export function changeInPercent(now: Side, base: Side): { share: number; isExact: boolean } | undefined {
  const percentText = percentageOf(now.Complete, base.Complete)
  // Net purchases may be negative, which gives no percentage.
  if (percentText === 'none' || !(base.kWh > 0)) return undefined
  return { share: (now.kWh - base.kWh) / base.kWh, isExact: percentText === 'plain' }
}

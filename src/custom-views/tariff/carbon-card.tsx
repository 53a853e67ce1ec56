import { formatFactor } from '../../../contract/kernel/numbers.ts'
import { Alert, Button, Card, InputNumber, Radio } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type ComponentRef } from 'react'
import { Link } from 'react-router'
import { type CarbonFactor, homeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import {
  CARBON_FACTORS,
  CARBON_RULES,
  type CarbonFactorOfYear,
  carbonFactorOf,
  type CarbonRule,
  DEFAULT_CARBON_FACTOR,
} from '../../../contract/tariffs/carbon.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useCarbonWords } from '../../domain/energy/use-carbon-words.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { useTimeZone } from '../../data/homes.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { faultsOf } from './faults.ts'

/** Years from the first with a factor to the current one, the newest first, and later years that the company has configured. */
function yearsOf(
  ownFactors: ReadonlyMap<number, number>,
  rule: CarbonRule,
  running: number,
): CarbonFactorOfYear[] {
  const knownYears = [...Object.keys(CARBON_FACTORS).map(Number), ...ownFactors.keys()]
  const [first, last] = [Math.min(running, ...knownYears), Math.max(running, ...knownYears)]
  return Array.from({ length: last - first + 1 }, (_, i) => last - i)
    .filter((year) => year <= running || ownFactors.has(year))
    .map((year) => carbonFactorOf(year, ownFactors, rule))
}

/** Carbon factors in kg CO2e per kWh by year, as published or as configured, and the fallback. */
export function CarbonCard({ homeId }: { homeId: string }) {
  const t = useT()
  const date = useFormatDate()
  const zone = useTimeZone(homeId)
  const running = Number(formatDay(dayOf(useNow(), zone ?? 'UTC')).slice(0, 4))
  const field = useRef<ComponentRef<typeof InputNumber>>(null)
  const may = useMay('electricity', 'Update')
  const query = useQuery(callQuery(homeTariff.listCarbonFactor, {}))
  const rule = useQuery(callQuery(homeTariff.getCarbonRule, {}))
  const { busy, refused, run } = useAction(homeTariff.updateCarbonFactor, { feedback: 'fields' })
  const [year, setYear] = useState<number | null>(() => new Date(gatewayNow()).getFullYear() - 1)
  const [factor, setFactor] = useState<number | null>(null)
  const ownFactors = (query.data ?? []).filter(({ IsOwn }) => IsOwn)
  const plainFactors = (factors: readonly CarbonFactor[]) =>
    factors.map(({ Year, Factor }) => ({ Year, Factor }))
  const save = (next: readonly CarbonFactor[]) =>
    run({ Factors: plainFactors(next), Seen: plainFactors(ownFactors) }, () => tNow('tariff:saved'))
  const withoutYear = (of: number) => ownFactors.filter(({ Year }) => Year !== of)
  return (
    <Card title={t('tariff:carbon.title')}>
      <div className={`${page.stack} ${page.tightStack}`}>
        {query.data && rule.data ? (
          <>
            {rule.data.Missing !== null && (
              <Alert
                type="warning"
                showIcon
                message={t('tariff:carbon.missing', { year: rule.data.Missing })}
                description={t('tariff:carbon.missingHow')}
              />
            )}
            <RuleChoice rule={rule.data.Rule} />
            <p className={page.hint}>{t('tariff:carbon.checked', { date: date(rule.data.CheckedOn) })}</p>
            <ul className={page.rows}>
              {yearsOf(
                new Map(ownFactors.map(({ Year, Factor }) => [Year, Factor])),
                rule.data.Rule,
                running,
              ).map((row) => (
                <FactorRow
                  key={row.Year}
                  homeId={homeId}
                  row={row}
                  may={may}
                  busy={busy}
                  set={() => {
                    setYear(row.Year)
                    field.current?.focus()
                  }}
                  remove={() => void save(withoutYear(row.Year))}
                />
              ))}
            </ul>
          </>
        ) : (query.error ?? rule.error) ? (
          <LoadFailed
            error={query.error ?? rule.error}
            retry={() => void Promise.all([query.refetch(), rule.refetch()])}
          />
        ) : (
          <ListSkeleton />
        )}
        {faultsOf(refused).map(({ path, text }) => (
          <p key={path} className={page.fault} role="alert">
            {text}
          </p>
        ))}
        {may && (
          <form
            className={`${page.fields} ${styles.form}`}
            onSubmit={(event) => {
              event.preventDefault()
              if (year !== null && factor !== null)
                void save([...withoutYear(year), { Year: year, Factor: factor }]).then(
                  (saved) => saved && setFactor(null),
                )
            }}
          >
            <label>
              {t('tariff:carbon.year')}
              <InputNumber min={2000} max={2100} precision={0} value={year} onChange={setYear} />
            </label>
            <label>
              {t('tariff:carbon.factor')}
              <InputNumber
                ref={field}
                min={0}
                max={10}
                step={0.001}
                suffix="kg CO₂e/kWh"
                value={factor}
                onChange={setFactor}
              />
            </label>
            <Button htmlType="submit" disabled={year === null || factor === null} loading={busy}>
              {t('tariff:carbon.set')}
            </Button>
          </form>
        )}
      </div>
    </Card>
  )
}

/** Selects the rule for the company's carbon factor: 0.494 in every year, or the published one of each. */
function RuleChoice({ rule }: { rule: CarbonRule }) {
  const t = useT()
  const may = useMay('company', 'Update')
  const { busy, run } = useAction(homeTariff.updateCarbonRule)
  return (
    <fieldset className={page.tightStack} disabled={!may || busy}>
      <legend>{t('tariff:carbon.rule.title')}</legend>
      <Radio.Group
        value={rule}
        disabled={!may || busy}
        onChange={(event) => void run({ Rule: event.target.value }, () => tNow('tariff:carbon.rule.changed'))}
        options={CARBON_RULES.map((value) => ({
          value,
          label: t(`tariff:carbon.rule.${value}`, { factor: formatFactor(DEFAULT_CARBON_FACTOR) }),
        }))}
      />
      <p className={page.note}>{t('tariff:carbon.rule.note')}</p>
    </fieldset>
  )
}

interface RowProps {
  homeId: string
  row: CarbonFactorOfYear
  may: boolean
  busy: boolean
  set: () => void
  remove: () => void
}

/** Factor of a year with its source, the alternative one, and a link to the year's emissions. */
function FactorRow({ homeId, row, may, busy, set, remove }: RowProps) {
  const t = useT()
  const { sourceOf, otherOf } = useCarbonWords()
  const { Year, Factor, Source } = row
  return (
    <li className={page.spread}>
      <span>
        <Link
          aria-label={t('tariff:carbon.emission', { year: Year })}
          className={page.touch}
          to={`${pathTo('Electricity', { HomeID: homeId })}?${new URLSearchParams({ range: String(Year), measure: 'co2' })}`}
        >
          {Year}
        </Link>{' '}
        <small className={page.note}>
          {[sourceOf(row), otherOf(row)].filter(Boolean).join(t('energy:carbon.and'))}
        </small>
      </span>
      <span className={`${page.row} ${styles.row}`}>
        <span className={`${page.figures} ${page.end}`}>{formatFactor(Factor)} kg CO₂e/kWh</span>
        {Source !== 'own' && CARBON_FACTORS[Year] === undefined && may && (
          <Button aria-label={t('tariff:carbon.setOf', { year: Year })} onClick={set}>
            {t('tariff:carbon.set')}
          </Button>
        )}
        {Source === 'own' && may && (
          <Button disabled={busy} onClick={remove}>
            {t(CARBON_FACTORS[Year] === undefined ? 'tariff:home.remove' : 'tariff:carbon.drop')}
          </Button>
        )}
      </span>
    </li>
  )
}

import { Button, Card, InputNumber } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CarbonFactor, homeTariff } from '../../../contract/procedures/home-tariff.ts'
import { CARBON_FACTORS, DEFAULT_CARBON_FACTOR } from '../../../contract/rules/carbon.ts'
import { callQuery } from '../../providers/api.ts'
import { useT } from '../../providers/i18n.ts'
import { useMay } from '../../providers/session.ts'
import { ListSkeleton, LoadFailed } from '../../ui/crud/states.tsx'
import styles from './tariff.module.css'
import { useChange } from './use-change.ts'

/** With three places as they are published, and with all that a company gave. */
const formatFactor = (factor: number): string =>
  factor.toLocaleString('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 10 })

/** kg CO2e per kWh by year, as published or as the company says. */
export function CarbonCard() {
  const t = useT()
  const may = useMay('electricity', 'Update')
  const query = useQuery(callQuery(homeTariff.listCarbonFactor, {}))
  const { busy, faults, change } = useChange()
  const [year, setYear] = useState<number | null>(() => new Date().getFullYear())
  const [factor, setFactor] = useState<number | null>(null)
  const own = (query.data ?? []).filter(({ IsOwn }) => IsOwn)
  const bare = (factors: readonly CarbonFactor[]) => factors.map(({ Year, Factor }) => ({ Year, Factor }))
  const save = (next: readonly CarbonFactor[]) =>
    change(homeTariff.updateCarbonFactor, { Factors: bare(next), Seen: bare(own) })
  const without = (of: number) => own.filter(({ Year }) => Year !== of)
  return (
    <Card title={t('tariff:carbon.title')}>
      <div className={styles.stack}>
        <p className={styles.note}>{t('tariff:carbon.intro', { factor: DEFAULT_CARBON_FACTOR })}</p>
        {query.data ? (
          <ul className={styles.list}>
            {query.data.map(({ Year, Factor, IsOwn }) => (
              <li key={Year} className={styles.item}>
                <span>
                  {Year}{' '}
                  <small className={styles.note}>
                    {t(IsOwn ? 'tariff:carbon.own' : 'tariff:carbon.published')}
                  </small>
                </span>
                <span className={styles.row}>
                  <span className={styles.number}>{formatFactor(Factor)} kg CO₂e/kWh</span>
                  {IsOwn && may && (
                    <Button size="small" disabled={busy} onClick={() => void save(without(Year))}>
                      {t(CARBON_FACTORS[Year] === undefined ? 'tariff:home.remove' : 'tariff:carbon.drop')}
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        ) : query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton />
        )}
        {faults.map(({ path, text }) => (
          <p key={path} className={styles.fault} role="alert">
            {text}
          </p>
        ))}
        {may && (
          <form
            className={styles.fields}
            onSubmit={(event) => {
              event.preventDefault()
              if (year !== null && factor !== null)
                void save([...without(year), { Year: year, Factor: factor }]).then(
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

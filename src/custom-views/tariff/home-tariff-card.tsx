import { Button, Card, Tag } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { homeTariff, type HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { dayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'
import { priceReviewOf } from '../../../contract/tariffs/price-review.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import { type Capacity, CAPACITIES, versionOn } from '../../../contract/tariffs/tariff-terms.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useMay } from '../../data/session.ts'
import { PriceAge } from '../../domain/tariff/price-age.tsx'
import { RecordConflict } from '../../record-kit/record-conflict.tsx'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { VersionPreview } from './band-strip.tsx'
import { HomeTariffForm } from './home-tariff-form.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { faultsOf } from './faults.ts'
import { useHomeTariffs, usePlans, useSpanWords } from './use-tariff.ts'

const dayBeforeText = (date: string): string => formatDay(parseDay(date) - 1)
const dayAfterText = (date: string): string => formatDay(parseDay(date) + 1)

/** History with one more tariff: existing ones are shortened, split or removed, so that no day has two. */
export function withTariff(history: readonly HomeTariff[], added: HomeTariff): HomeTariff[] {
  const { ValidFrom: from, ValidThrough: through } = added
  const remaining = history.flatMap((entry) => {
    const parts: HomeTariff[] = []
    if (entry.ValidFrom < from) {
      const endDate =
        entry.ValidThrough !== null && entry.ValidThrough < from ? entry.ValidThrough : dayBeforeText(from)
      parts.push({ ...entry, ValidThrough: endDate })
    }
    if (through !== null && (entry.ValidThrough === null || entry.ValidThrough > through))
      parts.push({ ...entry, ValidFrom: entry.ValidFrom > through ? entry.ValidFrom : dayAfterText(through) })
    return parts
  })
  return [...remaining, added].toSorted((a, b) => (a.ValidFrom < b.ValidFrom ? -1 : 1))
}

/** Tariffs of a history that another one replaces completely. */
export const replacedBy = (
  history: readonly HomeTariff[],
  { ValidFrom: from, ValidThrough: through }: HomeTariff,
): HomeTariff[] =>
  history.filter(
    (entry) =>
      entry.ValidFrom >= from &&
      (through === null || (entry.ValidThrough !== null && entry.ValidThrough <= through)),
  )

export const tariffOn = (history: readonly HomeTariff[], date: string): HomeTariff | undefined =>
  history.find(
    ({ ValidFrom, ValidThrough }) => ValidFrom <= date && (ValidThrough === null || date <= ValidThrough),
  )

export function HomeTariffCard({ homeId }: { homeId: string }) {
  const t = useT()
  const spanWords = useSpanWords()
  const may = useMay('electricity', 'Update')
  const zone = useTimeZone(homeId)
  const now = useNow()
  const query = useHomeTariffs(homeId)
  const { nameOf } = usePlans()
  const { busy, refused, run } = useAction(homeTariff.updateHomeTariff, { feedback: 'fields' })
  const faults = faultsOf(refused)
  const [editing, edit] = useState<HomeTariff | 'new'>()
  /** History with which the form was opened; another user may save a different one meanwhile. */
  const [historySeen, setHistorySeen] = useState<readonly HomeTariff[]>([])
  const today = zone === undefined ? undefined : formatDay(dayOf(now, zone))
  if (!query.data || today === undefined)
    return (
      <Card>
        {query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton />
        )}
      </Card>
    )
  const history = query.data
  const current = tariffOn(history, today)
  const save = (Tariffs: HomeTariff[], seenHistory: readonly HomeTariff[], Sure = false) =>
    run({ HomeID: homeId, Tariffs, Seen: [...seenHistory], Sure }, () => tNow('tariff:saved'))
  const open = (entry: HomeTariff | 'new') => {
    setHistorySeen(history)
    edit(entry)
  }
  const otherEntries = history.filter((entry) => entry !== editing)
  const remove = (removed: HomeTariff) =>
    confirm({
      title: t('tariff:home.removeTitle', { plan: nameOf(removed.PlanID) }),
      content: t('tariff:home.removeText'),
      okText: t('tariff:home.remove'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () =>
        save(
          history.filter((entry) => entry !== removed),
          history,
        ),
    })
  const add = may && (
    <Button type="primary" onClick={() => open('new')}>
      {t('tariff:home.choose')}
    </Button>
  )
  return (
    <Card title={t('tariff:home.current')} extra={history.length > 0 && add}>
      <div className={`${page.stack} ${page.tightStack}`}>
        {current ? (
          <>
            <Current tariff={current} today={today} />
            <p className={page.note}>
              <Link
                className={page.touch}
                to={`${pathTo('Electricity', { HomeID: homeId })}?${new URLSearchParams(LAST_YEAR)}`}
              >
                {t('tariff:home.cost')}
              </Link>
            </p>
          </>
        ) : (
          <EmptyState
            message={t(may ? 'tariff:home.none' : 'tariff:home.noneAsk')}
            next={history.length === 0 && add}
          />
        )}
        {!editing &&
          faults.map(({ path, text }) => (
            <p key={path} className={page.fault} role="alert">
              {text}
            </p>
          ))}
        {history.length > 0 && (
          <>
            <h3>{t('tariff:home.history')}</h3>
            <ul className={page.rows}>
              {history.toReversed().map((entry) => (
                <li key={entry.ValidFrom} className={page.spread}>
                  <span>
                    {nameOf(entry.PlanID)} {entry === current && <Tag>{t('tariff:home.now')}</Tag>}
                    <br />
                    <small className={page.note}>{spanWords(entry.ValidFrom, entry.ValidThrough)}</small>
                  </span>
                  {may && (
                    <span className={`${page.row} ${styles.row}`}>
                      <Button onClick={() => open(entry)}>{t('tariff:edit')}</Button>
                      <Button danger disabled={busy} onClick={() => remove(entry)}>
                        {t('tariff:home.remove')}
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {editing && (
        <HomeTariffForm
          title={t(editing === 'new' ? 'tariff:home.choose' : 'tariff:home.change')}
          initial={
            editing === 'new' ? { ...(current ?? FIRST), ValidFrom: today, ValidThrough: null } : editing
          }
          zone={zone}
          busy={busy}
          faults={faults.filter(({ path }) => path !== 'Seen' && path !== 'Sure')}
          conflict={
            // react-query keeps the identity of an unchanged history.
            !busy &&
            history !== historySeen && (
              <RecordConflict
                changes={[]}
                takeRemote={() => edit(undefined)}
                keepLocal={() => setHistorySeen(history)}
              />
            )
          }
          replaces={(next) => replacedBy(otherEntries, next)}
          close={() => edit(undefined)}
          stored={history}
          save={async (next, isConfirmed) => {
            if (await save(withTariff(otherEntries, next), historySeen, isConfirmed)) edit(undefined)
          }}
        />
      )}
    </Card>
  )
}

/** Query for monthly energy costs compared with the previous year. */
const LAST_YEAR = { range: 'last365', measure: 'cost', compare: 'lastYear' }

const FIRST: HomeTariff = {
  ValidFrom: '',
  ValidThrough: null,
  PlanID: 'commercial_standard',
  Capacities: {},
  Phases: 'three',
  PowerFactor: null,
  BillingDay: 1,
  BillingMonths: 1,
  FirstMonth: 1,
  FeedIn: null,
}

function Current({ tariff, today }: { tariff: HomeTariff; today: string }) {
  const t = useT()
  const date = useFormatDate()
  const { nameOf, versionsOf } = usePlans()
  const versions = versionsOf(tariff.PlanID)
  const version = versionOn(versions, parseDay(today))
  const source = version && taipowerPlan(tariff.PlanID)?.Sources[versions.indexOf(version)]
  const usedCapacities = CAPACITIES.filter((capacity: Capacity) => tariff.Capacities[capacity])
  return (
    <>
      <div className={`${page.row} ${styles.row}`}>
        <strong>{nameOf(tariff.PlanID)}</strong>
        {version && (
          <span className={page.note}>{t('tariff:bill.table', { date: date(version.ValidFrom) })}</span>
        )}
        {source && <Tag>{t(`tariff:sources.${source}`)}</Tag>}
        {usedCapacities.map((capacity) => (
          <span key={capacity} className={`${page.figures} ${page.end}`}>
            {t(`tariff:capacities.${capacity}`)} {tariff.Capacities[capacity]} kW
          </span>
        ))}
      </div>
      {version ? (
        <VersionPreview version={version} />
      ) : (
        <p className={page.fault}>{t('tariff:home.unpriced')}</p>
      )}
      <PriceAge prices={priceReviewOf([tariff.PlanID], parseDay(today))} />
    </>
  )
}

import { Link, useSearchParams } from 'react-router'
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { AttentionItem } from '../../../../contract/attention/attention.ts'
import { useT, loadNamespaces, useLanguage, t as tNow } from '../../../lib/i18n/i18n.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { AttentionState } from '../common/attention.ts'
import { type Alarm, alarms } from '../../../../contract/alarms/calls.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { formatClock, formatWhen } from '../../../../contract/time/format-time.ts'
import { formatLimitKw, formatPower } from '../../../../contract/kernel/numbers.ts'
import { useMay } from '../../../data/session.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { plainPart, lazyPart } from '../../../ui/page/lazy.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { usePhone } from '../../../ui/page/use-screen.ts'
import { SeveritySign } from '../../../ui/tags/severity-sign.tsx'
import { useSnapshot } from '../common/overview.ts'
import page from '../../../ui/page/page.module.css'
import { ButtonLink, PlainButton } from '../../../ui/plain/plain-button.tsx'
import styles from './attention.module.css'
import { useAction } from '../../../data/use-action.ts'

const query = (of: Record<string, string>) => `?${new URLSearchParams(of)}`

/** Address of the page on which to resolve an item; undefined if its subject no longer exists. */
function pageOf(item: AttentionItem): string | undefined {
  const { HomeID, Subject, Kind, AlarmID, Stale } = item
  const list = pathTo('DeviceList', { HomeID })
  switch (Kind) {
    case 'rule':
      return `${pathTo('Alarm', { HomeID })}${query({ tab: 'live', alarm: AlarmID ?? '' })}`
    case 'demand':
      return `${pathTo('Electricity', { HomeID })}${query({ range: 'today', by: 'meter' })}`
    case 'quarantined':
      return pathTo('Meters', { HomeID })
    case 'hubLost':
      return `${list}${query({ kind: 'Hub', device: Subject })}`
    case 'neverSeen':
      return `${list}${query({ ...(item.IsHub && { kind: 'Hub' }), device: Subject })}`
    default:
      return Stale?.Why === 'removed' ? undefined : `${list}${query({ device: Subject })}`
  }
}

const ClearAlarm = lazyPart(
  async () => (await Promise.all([import('../../alarms/clear-alarm.tsx'), loadNamespaces(['alarms'])]))[0],
  { isOverlay: true },
)

interface ActionProps {
  item: AttentionItem
  name: string
  /** Whether this user has just acknowledged it here. */
  canUndo: boolean
  onAcknowledged: () => void
}

/** Next action on an item: acknowledge it or undo that, clear it if no report can, or open its page. */
function AttentionAction({ item, name, canUndo, onAcknowledged }: ActionProps) {
  const t = useT()
  const [rules, devices] = [useMay('power_meter_alarm', 'Control'), useMay('device_control', 'Control')]
  const mayAct = rules || (devices && item.Kind !== 'rule')
  const acknowledge = useAction(alarms.acknowledgeAlarm)
  const withdraw = useAction(alarms.unacknowledgeAlarm)
  const [isClearing, setClearing] = useState(false)
  const { AlarmID, Acknowledged, Stale, HomeID } = item
  const to = pageOf(item)
  if (AlarmID !== null && mayAct && !Acknowledged)
    return (
      <PlainButton
        small
        aria-busy={acknowledge.busy}
        aria-label={t('dashboard:attention.acknowledgeOf', { name })}
        onClick={() =>
          void acknowledge
            .run({ HomeID, AlarmID }, () => tNow('dashboard:attention.noted', { name }))
            .then((isDone) => isDone && onAcknowledged())
        }
      >
        {t('dashboard:attention.acknowledge')}
      </PlainButton>
    )
  if (AlarmID !== null && mayAct && Acknowledged && canUndo)
    return (
      <PlainButton
        small
        aria-busy={withdraw.busy}
        aria-label={t('dashboard:attention.undoOf', { name })}
        onClick={() =>
          void withdraw.run({ HomeID, AlarmID }, () => tNow('dashboard:attention.undone', { name }))
        }
      >
        {t('dashboard:attention.undo')}
      </PlainButton>
    )
  if (AlarmID !== null && mayAct && Stale)
    return (
      <>
        <PlainButton
          small
          aria-label={t('dashboard:attention.clearOf', { name })}
          onClick={() => setClearing(true)}
        >
          {t('dashboard:attention.clearIt')}
        </PlainButton>
        {isClearing && (
          <ClearAlarm alarm={{ HomeID, AlarmID }} name={name} close={() => setClearing(false)} />
        )}
      </>
    )
  if (to === undefined) return <span />
  return (
    <ButtonLink small to={to} aria-label={t('dashboard:attention.openOf', { name })}>
      {t(`dashboard:attention.open.${TARGET_OF_KIND[item.Kind] ?? 'device'}`)}
    </ButtonLink>
  )
}

/** Kind of page that a row opens, unless it is a device. */
const TARGET_OF_KIND: Partial<Record<AttentionItem['Kind'], 'hub' | 'demand' | 'meters' | 'alarm'>> = {
  hubLost: 'hub',
  demand: 'demand',
  quarantined: 'meters',
  rule: 'alarm',
}

/** Device states and rule measurements in the words of the `devices` namespace; loaded after the first paint. */
const ExactWords = plainPart(
  async () =>
    (await Promise.all([import('./exact-words.tsx'), loadNamespaces(['devices', 'screens', 'alarms'])]))[0],
)

interface Props {
  item: AttentionItem
  /** The home of the item; undefined if the user cannot see it. */
  home: HomeWithRooms | undefined
  namesHome: boolean
  alarm: Alarm | undefined
  canUndo: boolean
  onAcknowledged: (key: string) => void
}

/** Severity, subject, place and time of an item, with one action. */
const AttentionRow = memo(function AttentionRow(props: Props) {
  const { item, home, namesHome, alarm, canUndo, onAcknowledged } = props
  const t = useT()
  const now = useNow()
  const language = useLanguage()
  const { Severity, Since, RoomID, Acknowledged, Shelved } = item
  const zone = home?.TimeZone
  const room = home?.RoomList.find((candidate) => candidate.RoomID === RoomID)?.RoomName
  const name = item.Name ?? home?.HomeName ?? item.Subject
  const to = pageOf(item)
  const places = [namesHome ? home?.HomeName : undefined, room].filter((place) => place !== undefined)
  return (
    <li className={styles.row} data-severity={Severity}>
      <span className={styles.severity}>
        <SeveritySign severity={Severity} />
        {t(`dashboard:attention.severity.${Severity}`)}
      </span>
      <span className={styles.what}>
        {to === undefined ? <b>{name}</b> : <Link to={to}>{name}</Link>}
        <What item={item} home={home} alarm={alarm} />
        {Acknowledged && (
          <span className={page.small}>
            {t('dashboard:attention.acknowledged', {
              name: Acknowledged.By,
              time: formatClock(Acknowledged.At, now, language, zone),
            })}
          </span>
        )}
        {Shelved && (
          <span className={page.small}>
            {t('dashboard:attention.shelved', {
              name: Shelved.By,
              time: formatClock(Shelved.Until, now, language, zone),
            })}
          </span>
        )}
      </span>
      <span className={`${page.ellipsis} ${page.small} ${styles.where}`}>{places.join(' › ')}</span>
      <span className={page.numbers}>
        {Since !== null && (
          <time dateTime={new Date(Since).toISOString()} title={formatWhen(Since, language, zone)}>
            {formatAge(Since, now, language, zone)}
          </time>
        )}
      </span>
      <AttentionAction
        item={item}
        name={name}
        canUndo={canUndo}
        onAcknowledged={() => onAcknowledged(item.Key)}
      />
    </li>
  )
})

/** Link to the page that helps to resolve it: reconnection steps for a hub, loads to shed for a demand. */
function WayOut({ item }: { item: AttentionItem }) {
  const t = useT()
  const mayShed = useMay('power_meter_alarm', 'Read')
  const isHub = item.Kind === 'hubLost' || (item.Kind === 'neverSeen' && item.IsHub)
  if (!isHub && !(item.Kind === 'demand' && mayShed)) return null
  const to = isHub ? pageOf(item) : `${pathTo('Alarm', { HomeID: item.HomeID })}?tab=guard`
  return (
    <Link className={styles.steps} to={to ?? ''}>
      {t(isHub ? 'dashboard:attention.steps' : 'dashboard:attention.shed')}
    </Link>
  )
}

/** Reason for the item; general words for a state or a rule until the exact ones have loaded. */
function What({ item, home, alarm }: Pick<Props, 'item' | 'home' | 'alarm'>) {
  const t = useT()
  const now = useNow()
  const language = useLanguage()
  const device = useSnapshot(home)?.Peripherals.find(({ PeripheralUID }) => PeripheralUID === item.Subject)
  const clock = (at: number) => formatClock(at, now, language, home?.TimeZone)
  return (
    <>
      {item.Kind === 'state' || item.Kind === 'breach' || item.Kind === 'rule' ? (
        <ExactWords item={item} device={device} alarm={alarm} />
      ) : item.Kind === 'demand' ? (
        <span>
          {t('dashboard:attention.kinds.demand', {
            forecast: formatPower(item.Forecast),
            limit: formatLimitKw(item.Limit),
            share: Math.floor((item.Forecast / item.Limit) * 100),
          })}
        </span>
      ) : item.Kind === 'lowBattery' ? (
        <span>{t('dashboard:attention.kinds.lowBattery', { percent: Math.floor(item.Battery) })}</span>
      ) : item.Kind === 'quarantined' ? (
        <span>{t('dashboard:attention.kinds.quarantined', { count: item.Count })}</span>
      ) : item.Kind === 'neverSeen' ? (
        <span>{t(`dashboard:attention.kinds.${item.IsHub ? 'neverSeenHub' : 'neverSeen'}`)}</span>
      ) : (
        <span>{t(`dashboard:attention.kinds.${item.Kind}`)}</span>
      )}
      <WayOut item={item} />
      {item.Stale && (
        <span className={page.small}>
          {item.Stale.Why === 'removed'
            ? t('dashboard:attention.removed')
            : item.Stale.Since === null
              ? t('dashboard:attention.lost')
              : t('dashboard:attention.lostAt', { time: clock(item.Stale.Since) })}
        </span>
      )}
    </>
  )
}

/** Number of rows shown at first, also on a phone. */
const MAX_SHOWN = 3
const MAX_SHOWN_ON_PHONE = 1

/** Time for which rows keep their places after an acknowledgement, which can be undone meanwhile, ms. */
const HOLD_MS = 10_000

/** Rows in their order before the last acknowledgement: another row must not move under the pointer. */
function useHeldOrder(items: readonly AttentionItem[]) {
  const [held, setHeld] = useState<{ keys: readonly string[]; acknowledged: readonly string[] }>()
  const latest = useRef(items)
  useLayoutEffect(() => {
    latest.current = items
  })
  useEffect(() => {
    if (!held) return
    const timer = setTimeout(() => setHeld(undefined), HOLD_MS)
    return () => clearTimeout(timer)
  }, [held])
  const onAcknowledged = useCallback((key: string) => {
    const keys = latest.current.map(({ Key }) => Key)
    setHeld((before) => ({
      keys: before?.keys ?? keys,
      acknowledged: [...(before?.acknowledged ?? []), key],
    }))
  }, [])
  const placeOf = ({ Key }: AttentionItem) => held?.keys.indexOf(Key) ?? 0
  return {
    // New items come first.
    items: held ? items.toSorted((a, b) => placeOf(a) - placeOf(b)) : items,
    canUndo: ({ Key }: AttentionItem) => held?.acknowledged.includes(Key) ?? false,
    onAcknowledged,
  }
}

/** Items that need attention, the most urgent first: the first ones, or all with `?all=1`. */
export function AttentionRows({
  attention,
  homes,
}: {
  attention: Pick<AttentionState, 'Items' | 'notes'>
  homes: readonly HomeWithRooms[]
}) {
  const t = useT()
  const isPhone = usePhone()
  const [params] = useSearchParams()
  const showsAll = params.get('all') === '1'
  const { notes } = attention
  const { items: Items, canUndo, onAcknowledged } = useHeldOrder(attention.Items)
  if (Items.length === 0) return null
  const max = isPhone ? MAX_SHOWN_ON_PHONE : MAX_SHOWN
  const shownItems = showsAll ? Items : Items.slice(0, max)
  const otherParams = new URLSearchParams(params)
  if (showsAll) otherParams.delete('all')
  else otherParams.set('all', '1')
  const homeOf = (item: AttentionItem) => homes.find(({ HomeID }) => HomeID === item.HomeID)
  return (
    <>
      <ol aria-label={t('dashboard:attention.title')}>
        {shownItems.map((item) => (
          <AttentionRow
            key={item.Key}
            item={item}
            home={homeOf(item)}
            namesHome={homes.length > 1}
            alarm={notes.alarms?.find(({ AlarmID }) => AlarmID === item.AlarmID)}
            canUndo={canUndo(item)}
            onAcknowledged={onAcknowledged}
          />
        ))}
      </ol>
      {Items.length > max && (
        <Link className={styles.all} to={`?${otherParams}`}>
          {showsAll
            ? t('dashboard:attention.first', { count: max })
            : t('dashboard:attention.all', { count: Items.length })}
        </Link>
      )}
    </>
  )
}

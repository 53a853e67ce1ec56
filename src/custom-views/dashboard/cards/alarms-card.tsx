import { WarningOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Link } from 'react-router'
import type { Alarm } from '../../../../contract/procedures/alarms.ts'
import type { Peripheral } from '../../../../contract/resources/peripheral.ts'
import { attentionOf, type AttentionItem } from '../../../../contract/rules/device/attention.ts'
import { pathTo } from '../../../paths.ts'
import { useDeviceNotes } from '../../../domain/device/use-device-notes.ts'
import { describeFailure } from '../../../data/failure.ts'
import { cachedDevices, useTimeZone } from '../../../data/homes.ts'
import { formatAge, formatMoment } from '../../../lib/format-age.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { statuses } from '../../../data/status-store.ts'
import { useConnection } from '../../../live/live.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { useBreachWords } from '../../device-control/breach-words.ts'
import { FieldValue } from '../../device-control/field-value.tsx'
import { LowBattery } from '../../device-control/low-battery.tsx'
import type { HomeOverview } from '../use-overview.ts'
import { loadNamespaces } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { AlarmActs } from './alarm-acts.tsx'
import { CardFrame } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { Loading } from './overview-loading.tsx'

const SHOWN = 8

const RuleSentence = lazyPart(
  async () =>
    (await Promise.all([import('../../alarms/rule-sentence.tsx'), loadNamespaces(['alarms', 'screens'])]))[0],
)

/** Devices and hubs of all homes that need somebody, and why; live. Green only while everything is known. */
export function AlarmsCard({ overview }: { overview: readonly HomeOverview[] }) {
  const t = useT()
  const now = useNow()
  const connected = useConnection() === 'connected'
  const snapshots = overview.flatMap(({ home }) => cachedDevices(home.HomeID) ?? [])
  const hubs = snapshots.flatMap(({ Things }) => Things)
  const devices = snapshots.flatMap(({ Peripherals }) => Peripherals)
  // Of a home that could not be loaded nothing is known.
  const isComplete = overview.every(({ summary }) => summary)
  const { alarms, maintenances, error, retry } = useDeviceNotes()
  const attention = attentionOf(
    {
      hubs,
      devices,
      statusOf: statuses.get,
      connected: connected && isComplete && alarms !== undefined && maintenances !== undefined,
      alarms,
      maintenances,
      homes: overview.flatMap(({ home }) => (cachedDevices(home.HomeID) ? home.HomeID : [])),
    },
    now,
  )
  const items = attention.Items.filter(({ Severity }) => Severity !== 'info')
  const deviceOf = (uid: string) => devices.find(({ PeripheralUID }) => PeripheralUID === uid)
  const hubName = (name: string) => hubs.find(({ ThingName }) => ThingName === name)?.DeviceName
  const homeName = (id: string) => overview.find(({ home }) => home.HomeID === id)?.home.HomeName
  const nameOf = (uid: string) =>
    deviceOf(uid)?.PeripheralName ??
    hubName(uid) ??
    alarms?.find((alarm) => alarm.PeripheralUID === uid || alarm.ThingName === uid)?.SubjectName ??
    uid
  const alarmOf = (item: AttentionItem) => alarms?.find(({ AlarmID }) => AlarmID === item.AlarmID)
  const unknown = attention.Watched - attention.Known
  return (
    <CardFrame title={t('cards:names.alarms')} extra={items.length > 0 && <strong>{items.length}</strong>}>
      <Loading overview={overview}>
        {attention.Verdict === 'clear' && <StateTag tone="good">{t('cards:noAlarms')}</StateTag>}
        {items.length > 0 && (
          <ul className={styles.lines}>
            {items.slice(0, SHOWN).map((item) => (
              <li key={item.Key}>
                {item.Kind === 'rule' ? (
                  <b>{item.Name ?? nameOf(item.Subject)}</b>
                ) : item.Stale?.Why === 'removed' ? (
                  <span>{nameOf(item.Subject)}</span>
                ) : (
                  <Link
                    to={`${pathTo('DeviceList', { HomeID: item.HomeID })}?device=${encodeURIComponent(item.Subject)}`}
                  >
                    {nameOf(item.Subject)}
                  </Link>
                )}
                {overview.length > 1 && <span className={page.small}>{homeName(item.HomeID)}</span>}
                <Why item={item} device={deviceOf(item.Subject)} />
                {item.Kind === 'rule' && <RuleLine alarm={alarmOf(item)} />}
                <AlarmActs
                  item={item}
                  name={item.Kind === 'rule' ? (item.Name ?? '') : nameOf(item.Subject)}
                />
              </li>
            ))}
            {items.length > SHOWN && <li>{t('dashboard:moreDevices', { count: items.length - SHOWN })}</li>}
          </ul>
        )}
        {attention.Verdict !== 'clear' && unknown > 0 && (
          <StateTag tone="offline">
            {t('cards:unknownStates', { count: unknown, total: attention.Watched })}
          </StateTag>
        )}
        {attention.Maintained > 0 && (
          <StateTag tone="plain">{t('cards:maintained', { count: attention.Maintained })}</StateTag>
        )}
        {error && (
          <p role="alert" className={styles.warning}>
            {t('cards:alarmsUnknown', { reason: describeFailure(error) })}{' '}
            <Button size="small" className={styles.retry ?? ''} onClick={retry}>
              {t('dashboard:retry')}
            </Button>
          </p>
        )}
        {attention.Verdict === 'unknown' && !connected && (
          <StateTag tone="offline">{t('cards:notLive')}</StateTag>
        )}
      </Loading>
    </CardFrame>
  )
}

/** What a rule says, in the words of its alarm. */
const RuleLine = ({ alarm }: { alarm: Alarm | undefined }) =>
  alarm ? (
    <span className={styles.why}>
      <RuleSentence alarm={alarm} />
    </span>
  ) : null

function Why({ item, device }: { item: AttentionItem; device: Peripheral | undefined }) {
  const t = useT()
  const now = useNow()
  const language = useLanguage()
  const timeZone = useTimeZone(item.HomeID)
  const age = (at: number | null) => (at === null ? t('cards:neverSeen') : formatAge(at, now, language))
  return (
    <span className={styles.why}>
      {item.Kind === 'state' &&
        item.Troubles.map(({ capability, field, value }) => (
          <FieldValue
            key={`${capability.name} ${field}`}
            capability={capability}
            field={field}
            value={value}
          />
        ))}
      {item.Kind === 'breach' && device && <Breaches item={item} device={device} />}
      {item.Kind === 'lowBattery' && <LowBattery percent={item.Battery} />}
      {item.Kind === 'hubLost' && (
        <StateTag tone="offline">{t('cards:hubLost', { age: age(item.Since) })}</StateTag>
      )}
      {item.Kind === 'meterSilent' && (
        <StateTag tone="warning">{t('cards:meterSilent', { age: age(item.Since) })}</StateTag>
      )}
      {item.Kind === 'silent' && item.Since !== null && (
        <StateTag tone="warning">
          {t('devices:silentSince', { at: formatMoment(item.Since, language, timeZone) })}
        </StateTag>
      )}
      {item.Stale?.Why === 'removed' && <span className={page.small}>{t('cards:removed')}</span>}
      {item.Stale?.Why === 'hubLost' && (
        <span className={page.small}>
          {item.Stale.Since === null
            ? t('cards:keptUnknown', { said: age(item.Since) })
            : t('cards:kept', { said: age(item.Since), lost: age(item.Stale.Since) })}
        </span>
      )}
    </span>
  )
}

function Breaches({ item, device }: { item: AttentionItem & { Kind: 'breach' }; device: Peripheral }) {
  const t = useT()
  const inWords = useBreachWords(device)
  return (
    <StateTag tone="alarm" icon={<WarningOutlined />}>
      {item.Breaches.map(inWords).join(t('screens:listComma'))}
    </StateTag>
  )
}

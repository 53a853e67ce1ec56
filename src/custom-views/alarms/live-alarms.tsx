import { RightOutlined } from '@ant-design/icons'
import { Alert, Switch, Tooltip } from 'antd'
import { type ComponentType, type FC, useEffect } from 'react'
import { Link } from 'react-router'
import { alarms, type Alarm } from '../../../contract/alarms/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ConnectionState } from '../../live/connection.ts'
import { useConnection } from '../../live/channel.ts'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { useAddress } from '../../ui/page/use-address.ts'
import { AlarmBulk } from './alarm-bulk.tsx'
import type { RuleWhyProps } from './alarm-drawer.tsx'
import { AlarmAge, AlarmSeverity, AlarmState } from './alarm-state.tsx'
import styles from './alarms.module.css'
import { NoAlarms } from './no-alarms.tsx'
import { AcknowledgeAlarm, ShelveAlarm, UnacknowledgeAlarm } from './row-actions.tsx'
import { type AlarmPlaces, useAlarmPlaces, useMayAct } from './use-alarm-facts.ts'
import { useAlarmFilter, type AlarmFilter } from './use-alarm-filter.tsx'
import { nameOfAlarm, useAlarmWords } from './use-alarm-words.ts'
import { BellOutlined } from '@ant-design/icons'
import { useStore, createStore } from '../../lib/store.ts'
import { alarmEvents } from '../../live/notifications.ts'
import { useQuery } from '@tanstack/react-query'
import { callQuery } from '../../data/api.ts'
import { attentionQuery, useHomes } from '../../data/homes.ts'
import { isUnacknowledgedAlarm } from '../../../contract/attention/attention-item.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { logFault } from '../../lib/log-fault.ts'
import { usePhone, useWide } from '../../ui/page/use-screen.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'

const KEY = 'alarmSound'

/** Whether new critical alarms play a sound in this browser. */
export const soundsAlarms = createStore(readKept())

function readKept(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

function setSoundsAlarms(isOn: boolean): void {
  soundsAlarms.set(isOn)
  try {
    if (isOn) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  } catch (error) {
    logFault('Keeping the alarm sound', error)
  }
}

let context: AudioContext | undefined

/** Unlocks audio: browsers allow sound only after a user gesture. */
function allowSound(): void {
  context ??= typeof AudioContext === 'undefined' ? undefined : new AudioContext()
  if (context?.state === 'suspended') void context.resume().catch(() => {})
}

/** Plays two tones within a second. Silent if the browser does not allow sound. */
function soundTone(): void {
  allowSound()
  if (!context) return
  const startTime = context.currentTime
  for (const [i, frequency] of [880, 660].entries()) {
    const [from, until] = [startTime + i * 0.35, startTime + i * 0.35 + 0.3]
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(0.25, from + 0.02)
    volume.gain.linearRampToValueAtTime(0, until)
    tone.connect(volume).connect(context.destination)
    tone.start(from)
    tone.stop(until)
  }
}

/** Numbers of open alarms in a home by state and severity; each filters the list. */
const AlarmCounts: FC<{ HomeID: string; filter: AlarmFilter }> = ({ HomeID, filter }) => {
  const t = useT()
  const { state, severity, change } = filter
  const counts = useQuery(callQuery(alarms.listAlarm, { HomeID, State: 'open', Limit: 1 })).data?.Counts
  const chip = (
    name: 'critical' | 'warning' | 'unacknowledged' | 'shelved',
    isOn: boolean,
    press: () => void,
  ) => (
    <button key={name} type="button" className={page.chip} aria-pressed={isOn} onClick={press}>
      <b className={name === 'critical' && counts && counts.critical > 0 ? page.fault : undefined}>
        {counts?.[name] ?? '–'}
      </b>
      {name === 'critical' || name === 'warning'
        ? t(`screens:severities.${name}`)
        : t(`alarms:states.${name}`)}
    </button>
  )
  const bySeverity = (name: 'critical' | 'warning') => {
    const isOn = severity === name && state === 'open'
    return chip(name, isOn, () => change({ severity: isOn ? undefined : name, state: undefined }))
  }
  const byState = (name: 'unacknowledged' | 'shelved') => {
    const isOn = state === name
    return chip(name, isOn, () => change({ state: isOn ? undefined : name, severity: undefined }))
  }
  return (
    <div role="group" aria-label={t('alarms:counts.label')} className={`${page.buttons} ${styles.chips}`}>
      {bySeverity('critical')}
      {bySeverity('warning')}
      {byState('unacknowledged')}
      {byState('shelved')}
    </div>
  )
}

/** Numbers of unacknowledged alarms of the other homes, with links to them; nothing if there are none. */
const OtherHomes: FC<{ HomeID: string }> = ({ HomeID }) => {
  const t = useT()
  const homes = useHomes()
  const waiting = useQuery({
    ...attentionQuery,
    select: ({ Items }) => Items.filter(isUnacknowledgedAlarm).map((item) => item.HomeID),
  }).data
  const others = (homes ?? []).flatMap((home) => {
    const count = waiting?.filter((id) => id === home.HomeID).length ?? 0
    return home.HomeID === HomeID || count === 0 ? [] : [{ ...home, count }]
  })
  if (others.length === 0) return null
  return (
    <p className={`${page.small} ${page.wideRow}`}>
      {t('alarms:otherHomes')}
      {others.map((home) => (
        <Link key={home.HomeID} to={`${pathTo('Alarm', { HomeID: home.HomeID })}?tab=live`}>
          {t('alarms:ofHome', { name: home.HomeName, count: home.count })}
        </Link>
      ))}
    </p>
  )
}

const AlarmDrawer = lazyPart(() => import('./alarm-drawer.tsx'), { isOverlay: true })
/** States without live changes; the first connection is not one. */
const DOWN: readonly ConnectionState[] = ['reconnecting', 'offline', 'error']
const keyOf = ({ AlarmID }: Alarm) => AlarmID

interface Props {
  HomeID: string
  /** Shows the conditions of a rule. */
  RuleWhy: ComponentType<RuleWhyProps>
}

/** Alarms of a home, live, the most urgent first, filtered by the address; one opens in a drawer. */
export const LiveAlarms: FC<Props> = ({ HomeID, RuleWhy }) => {
  const t = useT()
  const { get, change } = useAddress()
  const filter = useAlarmFilter()
  const places = useAlarmPlaces(HomeID)
  const mayAct = useMayAct()
  const isCalm = filter.state === 'open' && !filter.isOn
  const canBulk = filter.state !== 'cleared' && (mayAct({ Kind: 'state' }) || mayAct({ Kind: 'rule' }))
  const open = get('alarm')
  const isOffline = DOWN.includes(useConnection())
  const isNarrow = !useWide()
  return (
    <>
      <CallList
        isEmbedded
        endpoint={alarms.listAlarm}
        input={{ HomeID, ...filter.input }}
        keyOf={keyOf}
        title={t('alarms:title')}
        filtered={filter.isOn}
        clear={filter.clear}
        bar={filter.bar}
        views={<SoundSwitch HomeID={HomeID} />}
        note={
          <>
            {isOffline && <Alert showIcon type="warning" message={t('alarms:offline')} />}
            <OtherHomes HomeID={HomeID} />
            <AlarmCounts HomeID={HomeID} filter={filter} />
          </>
        }
        columns={useAlarmColumns(HomeID, places, isNarrow)}
        open={({ AlarmID }) => change({ alarm: AlarmID })}
        renderActions={(alarm) => mayAct(alarm) && <AcknowledgeAlarm alarm={alarm} />}
        actionsWidth={112}
        menu={{
          nameOf: nameOfAlarm,
          render: (alarm) => (
            <>
              {mayAct(alarm) && (
                <>
                  <UnacknowledgeAlarm alarm={alarm} />
                  <ShelveAlarm alarm={alarm} />
                </>
              )}
              <IconButton
                icon={<RightOutlined />}
                label={t('alarms:openOf', { name: nameOfAlarm(alarm) })}
                onPress={() => change({ alarm: alarm.AlarmID })}
              />
            </>
          ),
        }}
        bulk={
          canBulk
            ? {
                nameOf: nameOfAlarm,
                renderBar: (rows, clear) => (
                  <AlarmBulk HomeID={HomeID} rows={rows.filter(mayAct)} clear={clear} />
                ),
              }
            : undefined
        }
        empty={isCalm ? <NoAlarms HomeID={HomeID} /> : t('alarms:empty.past')}
      />
      {open !== '' && (
        <AlarmDrawer
          key={open}
          HomeID={HomeID}
          AlarmID={open}
          RuleWhy={RuleWhy}
          close={() => change({ alarm: undefined })}
        />
      )}
    </>
  )
}

/** In a narrow table the age is shown below the state; on a phone before the cause, whose end may be cut off. */
function useAlarmColumns(HomeID: string, places: AlarmPlaces, isNarrow: boolean): TitledColumn<Alarm>[] {
  const t = useT()
  const isPhone = usePhone()
  const { sentenceOf } = useAlarmWords(HomeID)
  const column = (
    key: 'subject' | 'wrong' | 'age' | 'state',
    width: number,
    render: TitledColumn<Alarm>['render'],
  ): TitledColumn<Alarm> => ({ key, title: t(`alarms:columns.${key}`), width, ...(render && { render }) })
  const age = column('age', 96, (alarm) => <AlarmAge alarm={alarm} />)
  const state = column('state', isNarrow ? 132 : 160, (alarm) => (
    <>
      <AlarmState alarm={alarm} />
      {isNarrow && !isPhone && <AlarmAge alarm={alarm} />}
    </>
  ))
  return [
    column('subject', isNarrow ? 140 : 170, (alarm) => (
      <Subject alarm={alarm} to={places.toSubject(alarm)} />
    )),
    {
      key: 'severity',
      title: t('screens:severity'),
      width: isNarrow ? 96 : 104,
      minWidth: 96,
      render: (alarm) => <AlarmSeverity alarm={alarm} />,
    },
    ...(isPhone ? [state, age] : []),
    column('wrong', isNarrow ? 176 : 260, (alarm) => <span className={page.words}>{sentenceOf(alarm)}</span>),
    ...(isPhone ? [] : isNarrow ? [state] : [age, state]),
  ]
}

/** Subject of an alarm, with a link to its device or hub. */
function Subject({ alarm, to }: { alarm: Alarm; to: string | undefined }) {
  const t = useT()
  const { AutomationName, SubjectName, Kind } = alarm
  const name = SubjectName ?? alarm.PeripheralUID ?? alarm.ThingName
  const linked =
    name !== null &&
    (to === undefined ? (
      <span>{name}</span>
    ) : (
      <Link to={to} onClick={(event) => event.stopPropagation()}>
        {name}
      </Link>
    ))
  return (
    <span className={`${page.field} ${page.words}`}>
      {AutomationName === null ? <b>{linked}</b> : <b>{AutomationName}</b>}
      <small>
        {t(`alarms:kinds.${Kind}`)}
        {AutomationName !== null && linked && <> · {linked}</>}
      </small>
    </span>
  )
}

/** Switch for a sound on new critical alarms of the home while the page is open; plays it once when switched on. */
function SoundSwitch({ HomeID }: { HomeID: string }) {
  const t = useT()
  const isOn = useStore(soundsAlarms)
  useEffect(() => {
    if (!isOn) return
    const stop = alarmEvents.subscribe(({ News, Severity, HomeID: at }) => {
      if (at === HomeID && News === 'raised' && Severity === 'critical') soundTone()
    })
    addEventListener('pointerdown', allowSound, { once: true })
    return () => {
      stop()
      removeEventListener('pointerdown', allowSound)
    }
  }, [isOn, HomeID])
  return (
    <Tooltip title={t('alarms:sound.hint')}>
      <label className={`${page.tightRow} ${page.touch}`}>
        <BellOutlined aria-hidden />
        {t('alarms:sound.label')}
        <Switch
          aria-label={t('alarms:sound.label')}
          checked={isOn}
          onChange={(isEnabled) => {
            setSoundsAlarms(isEnabled)
            if (isEnabled) soundTone()
          }}
        />
      </label>
    </Tooltip>
  )
}

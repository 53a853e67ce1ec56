import { useQuery } from '@tanstack/react-query'
import { Alert, Timeline } from 'antd'
import type { ComponentType, FC } from 'react'
import { Link } from 'react-router'
import { alarms, type Alarm } from '../../../contract/alarms/calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './alarms.module.css'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { AlarmSeverity, AlarmState } from './alarm-state.tsx'
import { AlarmDrawerActions } from './drawer-actions.tsx'
import { isOfRule, isOfSmoke, useAlarmPlaces, useMayAct, type AlarmPlaces } from './use-alarm-facts.ts'
import { nameOfAlarm, useAlarmWords } from './use-alarm-words.ts'
import { Drawer } from '../../ui/page/dialog.tsx'

interface Moment {
  at: number
  label: string
  comment?: string | null
  color: string
}

/** History of an alarm, the newest entry first. */
const AlarmLife: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const { at } = useAlarmWords(alarm.HomeID)
  const { RaisedAt, ReportedAt, Count, Acknowledged, Shelved, Cleared, Comments, Withdrawn } = alarm
  const moments: Moment[] = [
    { at: RaisedAt, label: t('alarms:life.raised'), color: 'red' },
    ...(Count > 1
      ? [{ at: ReportedAt, label: t('alarms:life.again', { count: Count - 1 }), color: 'red' }]
      : []),
    ...(Acknowledged
      ? [
          {
            at: Acknowledged.At,
            label: t('alarms:life.acknowledged', { person: Acknowledged.By }),
            comment: Acknowledged.Comment,
            color: 'blue',
          },
        ]
      : []),
    ...Withdrawn.flatMap(({ Act, By, At, Text, WithdrawnBy, WithdrawnAt }) => [
      {
        at: At,
        label: t(Act === 'shelved' ? 'alarms:life.shelvedBefore' : 'alarms:life.acknowledged', {
          person: By,
        }),
        comment: Text,
        color: 'gray',
      },
      { at: WithdrawnAt, label: t(`alarms:life.withdrawn.${Act}`, { person: WithdrawnBy }), color: 'gray' },
    ]),
    ...(Shelved
      ? [
          {
            at: Shelved.At,
            label: t('alarms:life.shelved', { person: Shelved.By, until: at(Shelved.Until) }),
            comment: Shelved.Reason,
            color: 'gray',
          },
        ]
      : []),
    ...Comments.map(({ By, At, Text }) => ({
      at: At,
      label: t('alarms:life.comment', { person: By }),
      comment: Text,
      color: 'gray',
    })),
    ...(Cleared
      ? [
          {
            at: Cleared.At,
            label:
              Cleared.By === null
                ? t('alarms:life.cleared')
                : t('alarms:life.clearedBy', { person: Cleared.By }),
            comment: Cleared.Reason,
            color: 'green',
          },
        ]
      : []),
  ].toSorted((a, b) => b.at - a.at)
  return (
    <section aria-label={t('alarms:drawer.life')}>
      <h3 className={page.below8}>{t('alarms:drawer.life')}</h3>
      <Timeline
        items={[
          ...(Cleared ? [] : [{ color: 'red', children: t('alarms:life.open') }]),
          ...moments.map(({ at: moment, label, comment, color }) => ({
            color,
            children: (
              <div className={page.field}>
                <span>{label}</span>
                <time className={page.small} dateTime={new Date(moment).toISOString()}>
                  {at(moment)}
                </time>
                {comment && <q className={page.words}>{comment}</q>}
              </div>
            ),
          })),
        ]}
      />
    </section>
  )
}

export interface RuleWhyProps {
  HomeID: string
  AutomationID: string
}

interface Props {
  HomeID: string
  AlarmID: string
  /** Shows the conditions of a rule. */
  RuleWhy: ComponentType<RuleWhyProps>
  close: () => void
}

/** One alarm in a drawer: problem, history, readings and cause; actions are at the bottom. */
export default function AlarmDrawer({ HomeID, AlarmID, RuleWhy, close }: Props) {
  const t = useT()
  const { data, error, refetch } = useQuery(callQuery(alarms.listAlarm, { HomeID, AlarmID, Limit: 1 }))
  const alarm = data?.Rows[0]
  const places = useAlarmPlaces(HomeID)
  const mayAct = useMayAct()
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      onClose={close}
      title={alarm ? nameOfAlarm(alarm) : t('alarms:drawer.title')}
      footer={
        alarm && !alarm.Cleared && mayAct(alarm) ? (
          <AlarmDrawerActions key={alarm.AlarmID} alarm={alarm} />
        ) : undefined
      }
    >
      {alarm ? (
        <Details alarm={alarm} places={places} RuleWhy={RuleWhy} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : data ? (
        <EmptyState message={t('alarms:drawer.gone')} />
      ) : (
        <ListSkeleton rows={6} />
      )}
    </Drawer>
  )
}

interface DetailsProps extends Pick<Props, 'RuleWhy'> {
  alarm: Alarm
  places: AlarmPlaces
}

function Details({ alarm, places, RuleWhy }: DetailsProps) {
  const t = useT()
  const { sentenceOf } = useAlarmWords(alarm.HomeID)
  return (
    <div className={page.stack}>
      <p className={`${styles.says} ${page.words}`}>{sentenceOf(alarm)}</p>
      <div className={page.tightRow}>
        <AlarmSeverity alarm={alarm} />
        <AlarmState alarm={alarm} />
      </div>
      {alarm.Chattering && <p className={page.note}>{t('alarms:chatteringNote')}</p>}
      {isOfSmoke(alarm) && <Alert showIcon type="info" message={t('devices:notFireSystem')} />}
      {alarm.Readings.length > 0 && <Readings alarm={alarm} />}
      <Why alarm={alarm} places={places} RuleWhy={RuleWhy} />
      <AlarmLife alarm={alarm} />
    </div>
  )
}

function Readings({ alarm }: { alarm: Alarm }) {
  const t = useT()
  const { at, valueOf, fieldName } = useAlarmWords(alarm.HomeID)
  const formatField = (field: string, value: number | null) =>
    value === null ? t('devices:state.unknown') : valueOf(alarm, field, value)
  return (
    <section aria-label={t('alarms:drawer.measured')}>
      <h3 className={page.below8}>{t('alarms:drawer.measured')}</h3>
      <ul className={`${page.rows} ${page.spreadRows}`}>
        {alarm.Readings.map(({ Field, Raised, Value, At, Peak, Limit }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a field may occur twice; the order is fixed
          <li key={i}>
            <b>{fieldName(alarm, Field)}</b>
            {Raised !== null && (
              <span>{t('alarms:drawer.raised', { value: formatField(Field, Raised) })}</span>
            )}
            {/* A cleared alarm has no stored value from the time when it ended. */}
            {alarm.Cleared === null && (
              <span>{t('alarms:drawer.latest', { value: formatField(Field, Value), at: at(At) })}</span>
            )}
            <span>{t('alarms:drawer.peak', { value: formatField(Field, Peak) })}</span>
            <span>
              {t('alarms:drawer.limit', {
                value: [Limit]
                  .flat()
                  .map((limit) => valueOf(alarm, Field, limit, true))
                  .join(' – '),
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Cause of the alarm: its rule with conditions, or the device itself; with links. */
function Why({ alarm, places, RuleWhy }: DetailsProps) {
  const t = useT()
  const [toSubject, toRule] = [places.toSubject(alarm), places.toRule(alarm)]
  const { Kind, AutomationID, AutomationName } = alarm
  const key = isOfRule(alarm) && places.isRuleGone(alarm) ? 'ruleGone' : Kind
  return (
    <section aria-label={t('alarms:drawer.why')}>
      <h3 className={page.below8}>{t('alarms:drawer.why')}</h3>
      <p className={page.note}>{t(`alarms:why.${key}`, { name: AutomationName ?? '' })}</p>
      {toRule !== undefined && AutomationID !== null && (
        <RuleWhy HomeID={alarm.HomeID} AutomationID={AutomationID} />
      )}
      <p className={page.wideRow}>
        {toSubject !== undefined && (
          <Link to={toSubject} className={page.touch}>
            {t(`alarms:drawer.${Kind === 'hubLost' ? 'hub' : 'device'}`)}
          </Link>
        )}
        {toRule !== undefined && (
          <Link to={toRule} className={page.touch}>
            {t('alarms:drawer.rule')}
          </Link>
        )}
      </p>
    </section>
  )
}

import type { FC } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { Link } from 'react-router'
import {
  sheddings,
  type Shedding,
  type AvoidedCost,
  type Guard,
} from '../../../contract/automation/shedding-calls.ts'
import { formatLimitKw, formatPower, moneyText, roundEstimate } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { useAlarmWords } from '../alarms/use-alarm-words.ts'
import { RunButton } from '../../domain/automation/runs/run-button.tsx'
import { group } from '../../../contract/automation/group.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'

type State = Guard['State']

const SUMMARY_TONES: Readonly<Record<State, Tone>> = {
  idle: 'plain',
  watching: 'good',
  shedding: 'warning',
  givingBack: 'on',
  cannotHold: 'alarm',
  partialData: 'warning',
  tooSlow: 'warning',
  noContract: 'warning',
}
/** Refetch interval of the forecast; guards evaluate every five seconds. */
const REFETCH_INTERVAL_MS = 15_000

/** Present state of a home's contract guards, and the peaks they avoided. */
const GuardSummary: FC<{ HomeID: string }> = ({ HomeID }) => {
  const t = useT()
  const { data } = useQuery({
    ...callQuery(sheddings.getGuards, { HomeID }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const { data: peaks } = useQuery(callQuery(sheddings.getAvoidedPeaks, { HomeID }))
  if (!data) return null
  if (data.Guards.length === 0) return <Alert type="info" showIcon message={t('alarms:guard.noGuards')} />
  // A peak within the contract costs nothing.
  const avoided = (peaks?.Avoided ?? []).filter(({ Cost }) => Cost !== 0)
  return (
    <div className={page.tightStack}>
      {data.Guards.map((guard) => (
        <GuardLine key={guard.AutomationID} HomeID={HomeID} guard={guard} />
      ))}
      {avoided.length > 0 && <AvoidedList peaks={avoided} />}
    </div>
  )
}

function GuardLine({ HomeID, guard }: { HomeID: string; guard: Guard }) {
  const t = useT()
  const { AutomationID, AutomationName, State, Forecast, Target } = guard
  return (
    <div className={page.intro}>
      <div className={page.spread}>
        <Link to={pathTo('updateAlarm', { HomeID, automationID: AutomationID })}>{AutomationName}</Link>
        <StateTag tone={SUMMARY_TONES[State]}>{t(`alarms:guard.states.${State}`)}</StateTag>
      </div>
      <span>
        {Forecast === null || Target === null
          ? t('alarms:guard.unknownForecast')
          : t('alarms:guard.forecast', { forecast: formatPower(Forecast), target: formatLimitKw(Target) })}
      </span>
      <small className={page.small}>{t(`alarms:guard.explain.${State}`)}</small>
    </div>
  )
}

function AvoidedList({ peaks }: { peaks: readonly AvoidedCost[] }) {
  const t = useT()
  const date = useFormatDate()
  return (
    <section className={page.intro}>
      <strong>{t('alarms:guard.avoided')}</strong>
      {peaks.map(({ From, Band, Peak, PeakWithout, Cost }) => {
        const textValues = { from: date(From), peak: formatPower(Peak), without: formatPower(PeakWithout) }
        return (
          <span key={`${From} ${Band}`}>
            {Cost === null
              ? t('alarms:guard.avoidedPlain', textValues)
              : t('alarms:guard.avoidedLine', { ...textValues, cost: moneyText(roundEstimate(Cost)) })}
          </span>
        )
      })}
    </section>
  )
}

const TONES: Readonly<Record<Shedding['State'], Tone>> = {
  sent: 'on',
  off: 'warning',
  failed: 'alarm',
  givenBack: 'good',
}
const keyOf = ({ SheddingID }: Shedding) => SheddingID

/** Contract guards of a home: state, avoided peaks, and the loads that they shed. */
export const GuardTab: FC<{ HomeID: string }> = ({ HomeID }) => {
  const t = useT()
  const nameOf = useLoadName(HomeID)
  return (
    <CallList
      isEmbedded
      endpoint={sheddings.listShedding}
      input={{ HomeID }}
      keyOf={keyOf}
      title={t('alarms:guard.title')}
      filtered={false}
      clear={() => {}}
      note={<GuardSummary HomeID={HomeID} />}
      columns={useSheddingColumns(HomeID, nameOf)}
      renderActions={(row) => <RunButton small HomeID={HomeID} name={nameOf(row)} runId={row.RunID} />}
      actionsWidth={56}
      empty={t('alarms:guard.empty')}
    />
  )
}

function useSheddingColumns(HomeID: string, nameOf: (row: Shedding) => string): TitledColumn<Shedding>[] {
  const t = useT()
  const { at } = useAlarmWords(HomeID)
  return [
    { key: 'load', title: t('alarms:guard.load'), width: 130, text: nameOf },
    {
      key: 'state',
      title: t('alarms:guard.state'),
      width: 120,
      render: ({ State }) => <StateTag tone={TONES[State]}>{t(`alarms:guard.loadStates.${State}`)}</StateTag>,
    },
    {
      key: 'power',
      title: t('alarms:guard.power'),
      width: 96,
      text: ({ Kw }) =>
        Kw === null ? t('alarms:guard.unknown') : t('alarms:guard.kw', { kw: formatPower(Kw) }),
    },
    { key: 'shedAt', title: t('alarms:guard.shedAt'), width: 160, text: ({ ShedAt }) => at(ShedAt) },
    {
      key: 'confirmedAfter',
      title: t('alarms:guard.confirmedAfter'),
      width: 96,
      text: ({ ShedAt, ConfirmedAt }) =>
        ConfirmedAt === null
          ? t('alarms:guard.notYet')
          : t('alarms:guard.seconds', { count: Math.max(1, Math.round((ConfirmedAt - ShedAt) / 1000)) }),
    },
    {
      key: 'givenBackAt',
      title: t('alarms:guard.givenBackAt'),
      width: 160,
      text: ({ GivenBackAt }) => (GivenBackAt === null ? t('alarms:guard.notYet') : at(GivenBackAt)),
    },
    {
      key: 'reason',
      title: t('alarms:guard.reason'),
      width: 140,
      text: ({ Forecast, Target }) =>
        t('alarms:guard.pair', { forecast: formatPower(Forecast), target: formatLimitKw(Target) }),
    },
  ]
}

/** Name of a shed device or group; its id if it was deleted. */
function useLoadName(HomeID: string): (load: Pick<Shedding, 'PeripheralUID' | 'GroupID'>) => string {
  const devices = useDevices(HomeID).data?.Peripherals
  const mayReadGroups = useMay('group', 'Read')
  const groups = useQuery({
    ...callQuery(group.operations.list, { HomeID }),
    enabled: mayReadGroups,
  }).data
  return ({ PeripheralUID, GroupID }) =>
    devices?.find((device) => device.PeripheralUID === PeripheralUID)?.PeripheralName ??
    groups?.find((candidate) => candidate.GroupID === GroupID)?.GroupName ??
    PeripheralUID ??
    GroupID ??
    ''
}

import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import { type AvoidedCost, type Guard, sheddings } from '../../../contract/automation/shedding-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import { formatPower } from '../../lib/format-power.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'

type State = Guard['State']

const TONES: Readonly<Record<State, Tone>> = {
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
export const GuardSummary: FC<{ HomeID: string }> = ({ HomeID }) => {
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
        <StateTag tone={TONES[State]}>{t(`alarms:guard.states.${State}`)}</StateTag>
      </div>
      <span>
        {Forecast === null || Target === null
          ? t('alarms:guard.unknownForecast')
          : t('alarms:guard.forecast', { forecast: formatPower(Forecast), target: formatPower(Target) })}
      </span>
      <small className={page.small}>{t(`alarms:guard.explain.${State}`)}</small>
    </div>
  )
}

function AvoidedList({ peaks }: { peaks: readonly AvoidedCost[] }) {
  const t = useT()
  const date = useFormatDate()
  const figure = useEnergyFormat()
  return (
    <section className={page.intro}>
      <strong>{t('alarms:guard.avoided')}</strong>
      {peaks.map(({ From, Band, Peak, PeakWithout, Cost }) => {
        const said = { from: date(From), peak: formatPower(Peak), without: formatPower(PeakWithout) }
        return (
          <span key={`${From} ${Band}`}>
            {Cost === null
              ? t('alarms:guard.avoidedPlain', said)
              : t('alarms:guard.avoidedLine', { ...said, cost: figure(Cost) })}
          </span>
        )
      })}
    </section>
  )
}

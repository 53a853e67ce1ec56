import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createRetentionJob } from '../../store/retention.ts'
import type { insight as insightCalls } from '../../../contract/energy/insight-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { EUI_DAYS, euiOf } from '../../../contract/energy/eui.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { areaOn } from '../../../contract/homes/place-facts.ts'
import type { Handler } from '../../kernel/context.ts'
import { readPlaceFacts } from '../../domain/homes/place-facts.ts'
import type { Clock } from '../../kernel/ports.ts'
import { explainHandler } from './explain.ts'
import { budgetHandler, forecastHandler } from './forecast.ts'
import { expiringFindings } from './findings/expiring.ts'
import { getFindingEvidence, listFinding } from './findings/list-findings.ts'
import { getSaving } from './findings/get-saving.ts'
import { findingsJob } from './findings/job.ts'
import { recordMeasureHandler, updateFinding } from './findings/update-finding.ts'
import { loadProfileHandler } from './load-profile.ts'
import { outdoorSensorHandler, updateOutdoorSensorHandler } from './outdoor-sensor.ts'
import type { InsightPorts } from './logic/ports.ts'

type Call = (typeof insightCalls)['getEnergyUseIntensity']

/** §GetEnergyUseIntensity: over the last 365 finished days, or since the first day with data. */
const energyUseIntensityHandler =
  (clock: Pick<Clock, 'now'>, { energy }: Pick<InsightPorts, 'energy'>): Handler<Call> =>
  async ({ HomeID }, { db, actor }): Promise<ResultsOf<Call>> => {
    const home = await energy.readHome(actor.tenant, HomeID)
    const end = dayOf(clock.now(), home.zone)
    const from = Math.max(end - EUI_DAYS, (await energy.readFirstDay(actor.tenant, home)) ?? end)
    const facts = await readPlaceFacts(db, actor.tenant, HomeID)
    const area = (day: number) => areaOn(facts, null, day) ?? null
    const ComputedPercent = await energy.computedPercent(actor.tenant, home, from, end)
    const profile = await energy.loadProfile(actor.tenant, home, from, end, 'consumption')
    const days = [...profile].map(([day, { kWh, complete, total }]) => ({
      kWh: kWh.reduce((sum, one) => sum + one, 0),
      complete: total > 0 ? complete / total : 0,
      area: area(day),
    }))
    const known = euiOf(days)
    const isReported = 'Eui' in known
    return {
      From: days.length ? formatDay(from) : null,
      Through: days.length ? formatDay(end - 1) : null,
      Eui: isReported ? known.Eui : null,
      Complete: isReported ? known.Complete : null,
      Area: area(end - 1),
      Days: days.length,
      Lack: isReported ? null : known.Lack,
      ComputedPercent,
    }
  }

/** Analysis of homes' energy: load profiles, forecasts, explanations of changes, and possible savings. */
export const insight = (deps: Deps, ports: InsightPorts) => {
  const { clock } = deps
  return {
    handlers: {
      findings: {
        getSaving,
        listFinding,
        getFindingEvidence,
        recordMeasure: recordMeasureHandler(clock, ports),
        updateFinding,
      },
      insight: {
        getLoadProfile: loadProfileHandler(clock, ports),
        getEnergyUseIntensity: energyUseIntensityHandler(clock, ports),
        getForecast: forecastHandler(clock, ports),
        updateBudget: budgetHandler,
        getOutdoorSensor: outdoorSensorHandler,
        updateOutdoorSensor: updateOutdoorSensorHandler,
        explainChange: explainHandler(clock, ports),
      },
    },
    jobs: [
      findingsJob(deps, ports),
      createRetentionJob('old findings', deps, expiringFindings(deps, deps.config.retentionDays.history)),
    ],
  } satisfies Feature
}

import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { explainHandler } from './explain.ts'
import { budgetHandler } from './budget.ts'
import { energyUseIntensityHandler } from './energy-use-intensity.ts'
import { createRetentionJob } from '../../store/retention.ts'
import { expiringFindings } from './findings/expiring.ts'
import { getFindingEvidence } from './findings/finding-evidence.ts'
import { getSaving } from './findings/get-saving.ts'
import { findingsJob } from './findings/job.ts'
import { listFinding } from './findings/list-findings.ts'
import { recordMeasureHandler } from './findings/record-measure.ts'
import { updateFinding } from './findings/update-finding.ts'
import { forecastHandler } from './forecast.ts'
import { loadProfileHandler } from './load-profile.ts'
import { outdoorSensorHandler, updateOutdoorSensorHandler } from './outdoor-sensor.ts'
import type { InsightPorts } from './logic/ports.ts'

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
      createRetentionJob('old findings', deps, expiringFindings(deps, deps.config.keepDays.history)),
    ],
  } satisfies Feature
}

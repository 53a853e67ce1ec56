import type { Deps, Feature } from '../../deps.ts'
import { explainHandler } from './explain.ts'
import { budgetHandler } from './budget.ts'
import { forecastHandler } from './forecast.ts'
import { loadProfileHandler } from './load-profile.ts'
import { outdoorSensorHandler, updateOutdoorSensorHandler } from './outdoor-sensor.ts'
import type { InsightPorts } from './ports.ts'

/** What the energy of homes says: when it is used, what a month will come to, and why it changed. */
export const insight = ({ clock }: Deps, ports: InsightPorts) =>
  ({
    handlers: {
      insight: {
        getLoadProfile: loadProfileHandler(clock, ports),
        getForecast: forecastHandler(clock, ports),
        updateBudget: budgetHandler,
        getOutdoorSensor: outdoorSensorHandler,
        updateOutdoorSensor: updateOutdoorSensorHandler,
        explainChange: explainHandler(clock, ports),
      },
    },
  }) satisfies Feature

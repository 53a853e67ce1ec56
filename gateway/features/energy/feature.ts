import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { Db } from '../../kernel/db.ts'
import { historyHandlers, deleteOrphanedSamples, deleteOldSamples } from './history/history.ts'
import type { EnergyPorts } from './ports.ts'
import { type BalanceInput, getBalance, getSeries, type SeriesInput } from './calls/series.ts'
import { createHomeEnergy } from './calls/home-energy.ts'
import { meterDataHandlers } from './calls/meter-data.ts'
import { createQueryDeps } from './query/context.ts'
import { storeDaySums } from './rollup/day-sums.ts'
import { deleteDroppedReadings, expireDays, expireReadings } from './rollup/expire-energy.ts'
import { type EnergyDeps, ensureFresh } from './rollup/freshness.ts'
import { rollUp, createRollupJob } from './rollup/roll-up.ts'
import { learnLimits } from './rollup/learn-limits.ts'
import { rollUpHomes } from './rollup/roll-up-home.ts'
import { createQuarantineEvents } from './rollup/quarantine-events.ts'
import { applyZoneRuleChanges } from './rollup/zone-rules.ts'
import { virtualMeterHandlers } from './virtual-meter.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Energy feature: rolls readings up by 15 minutes, day and month, and answers queries. */
export function energy(deps: Deps, { readPricing, onVirtualMeterDeleted }: EnergyPorts) {
  const { db, clock, log, metrics, events, config } = deps
  const { history, readings = 0, intervals = 0 } = config.retentionDays
  const onQuarantined = (meterIds: readonly number[]) => events.emit('readingsQuarantined', { meterIds })
  const energyDeps: EnergyDeps = { db, clock, onQuarantined }
  const queryDeps = createQueryDeps({ ...energyDeps, pricingOf: readPricing })
  const quarantineEvents = createQuarantineEvents(deps)

  const rollup = createRollupJob({
    db,
    clock,
    log,
    metrics,
    async rollUpHomes(closed) {
      await applyZoneRuleChanges(db, clock.now()).catch((err: unknown) =>
        log.warn({ err }, 'time zone rules not applied, will retry'),
      )
      await rollUpHomes(db, log, closed)
      await storeDaySums(db, clock.now(), closed)
    },
    onQuarantined,
  })
  const before = (days: number) => clock.now() - days * DAY
  const hourly = (name: string, run: (stopped: () => boolean) => Promise<void>) => ({
    name,
    intervalMs: HOUR,
    run,
  })

  const feature = {
    handlers: {
      meterData: meterDataHandlers(queryDeps),
      history: historyHandlers,
      virtualMeter: virtualMeterHandlers({ onVirtualMeterDeleted }),
    },
    jobs: [
      rollup,
      hourly('limits of meters', (stopped) => learnLimits(db, log, clock.now(), stopped)),
      hourly('readings of removed meters', () => deleteDroppedReadings(db)),
      hourly('samples of removed devices', () => deleteOrphanedSamples(db)),
      ...(history > 0 ? [hourly('old samples', () => deleteOldSamples(db, before(history)))] : []),
      ...(readings > 0 ? [hourly('old readings', () => expireReadings(db, before(readings)))] : []),
      ...(intervals > 0 ? [hourly('old intervals', () => expireDays(db, before(intervals)))] : []),
    ],
    close: quarantineEvents.close,
  } satisfies Feature
  return {
    ...feature,
    rollUp: (on: Db, meterIds: readonly number[]) => rollUp(on, meterIds, onQuarantined),
    ensureFresh: (on: Db, meterIds: readonly number[]) => ensureFresh({ ...energyDeps, db: on }, meterIds),
    answers: {
      series: (tenant: string, input: SeriesInput) => getSeries(queryDeps, tenant, input),
      balance: (tenant: string, input: BalanceInput) => getBalance(queryDeps, tenant, input),
    },
    ofHomes: createHomeEnergy(energyDeps),
  }
}

import type { Notify } from '../../domain/notifications/notification-transport.ts'
import type { Db } from '../../store/db.ts'
import type { EngineHomeKey } from './engine/ports.ts'
import type { Runs } from './runs/port.ts'
import type { TryPorts } from './dry-run/ports.ts'

/** Names a rule across companies. */
export interface AutomationRuleKey {
  tenant: string
  automationId: string
}

/**
 * Lets rules start again in the transaction in which they were made, changed, switched, found ready again, or removed: their next
 * run is computed, and every gateway hears of it.
 */
export type Replan = (tx: Db, keys: readonly AutomationRuleKey[]) => Promise<void>

/** Seconds between two reports of a home's main meter that reports least often at a moment, epoch ms; null without any. */
export type SlowestMainMeter = (db: Db, home: EngineHomeKey, at: number) => Promise<number | null>

/**
 * Inputs of the demand of a home (uid `home`) or of the sum of a virtual meter.
 *
 * frequency  seconds between two reports
 * capacity   kW that the contract of the home allows now; null without a contract and for virtual meters
 */
export interface Sources {
  meters: readonly { PeripheralUID: string; frequency: number; isHeard: boolean }[]
  capacity: number | null
}
export type SourcesOf = (home: EngineHomeKey, uid: string, at: number) => Promise<Sources>

/** What automations need of the engine and of runs. */
export interface AutomationPorts {
  replan: Replan
  runs: Pick<Runs, 'plan' | 'refuse'>
  trying: TryPorts
  slowestMainMeter: SlowestMainMeter
  sourcesOf: SourcesOf
  tell: Notify
}

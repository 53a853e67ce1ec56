import type { Db } from '../../../kernel/db.ts'
import type { RuleKey } from './rule-rows.ts'

/** Key of a home. */
export interface EngineHomeKey {
  tenant: string
  homeId: string
}

/**
 * Recomputes the next run of rules and notifies every gateway. Called in the transaction that creates, changes, enables, repairs or
 * deletes the rules.
 */
export type Replan = (tx: Db, keys: readonly RuleKey[]) => Promise<void>

/** Longest report interval among a home's main meters at a time in epoch ms, in seconds; null without a main meter. */
export type SlowestMainMeter = (db: Db, home: EngineHomeKey, at: number) => Promise<number | null>

/**
 * Inputs of a home's demand (uid `home`) or of a virtual meter's sum.
 *
 * frequency  seconds between two reports
 * capacity   kW that the contract of the home allows now; null without a contract and for virtual meters
 */
export interface Sources {
  meters: readonly { PeripheralUID: string; frequency: number; isReporting: boolean }[]
  capacity: number | null
}
export type SourcesOf = (home: EngineHomeKey, uid: string, at: number) => Promise<Sources>

import type { GuardRun } from '../../domain/automation/guard-run.ts'
import type { Notify } from '../../domain/notifications/notification-transport.ts'
import type { Db } from '../../store/db.ts'

/** What a home draws and may draw. */
export interface HomeDemandNow {
  /** kW that the quarter of an hour will come to; null unless every main meter reports. */
  forecast: number | null
  /** Of the main meters' last reports the oldest, epoch ms. */
  asOf: number | null
  /** The most seconds between two reports of a main meter; null where there is none. */
  slowest: number | null
  /** The UIDs of the main meters: what they report is a reason to decide again. */
  meters: readonly string[]
}

/** What the guard needs of others. */
export interface GuardPorts {
  tell: Notify
  runs: {
    /** Stores a run in the transaction in which it is decided. */
    plan(tx: Db, run: GuardRun): Promise<boolean>
    /** Begins it, once that has committed. */
    begin(tenant: string, runId: string): void
  }
  demandOf(tenant: string, homeId: string, at: number): Promise<HomeDemandNow>
  /** kW: what the contract allows then, and where it is asked for the peak that is billed anyway; null for what there is not. */
  allowedAt(
    tenant: string,
    homeId: string,
    at: number,
    withBilled: boolean,
  ): Promise<{ Limit: number | null; billed: number | null }>
  /** What was avoided by energy (kWh) that was not drawn in quarters of an hour, by their first ms. */
  avoided(
    tenant: string,
    homeId: string,
    spared: ReadonlyMap<number, number>,
  ): Promise<{ From: string; Band: string; Peak: number; PeakWithout: number; Cost: number | null }[]>
}

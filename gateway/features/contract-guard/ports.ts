import type { GuardRun } from '../../domain/automation/guard-run.ts'
import type { Notify } from '../../domain/notifications/notification-transport.ts'
import type { Db } from '../../kernel/db.ts'

/** Present demand of a home and its limit. */
export interface HomeDemandNow {
  /** Forecast of the quarter of an hour, kW; null unless every main meter reports. */
  forecast: number | null
  /** Oldest of the main meters' last reports, epoch ms. */
  asOf: number | null
  /** Longest report interval of a main meter, seconds; null without a main meter. */
  slowest: number | null
  /** UIDs of the main meters; their reports trigger decisions. */
  meters: readonly string[]
}

export interface GuardPorts {
  notify: Notify
  runs: {
    /** Stores a run in the transaction that decides it. */
    plan(tx: Db, run: GuardRun): Promise<boolean>
    /** Begins it after the commit. */
    begin(tenant: string, runId: string): void
  }
  readDemand(tenant: string, homeId: string, at: number): Promise<HomeDemandNow>
  /** Limit of the contract at a time and, on request, the peak that is billed anyway, kW; null if there is none. */
  readAllowed(
    tenant: string,
    homeId: string,
    at: number,
    withBilled: boolean,
  ): Promise<{ Limit: number | null; billed: number | null }>
  /** Peaks avoided by energy (kWh) that was not drawn, by the first ms of each quarter of an hour. */
  readAvoided(
    tenant: string,
    homeId: string,
    savedEnergy: ReadonlyMap<number, number>,
  ): Promise<{ From: string; Band: string; Peak: number; PeakWithout: number; Cost: number | null }[]>
}

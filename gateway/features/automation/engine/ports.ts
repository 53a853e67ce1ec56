import type { EngineHomeKey } from '../rules/ports.ts'
import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import type { RuleAlarms } from '../../../domain/alarms/rule-alarms.ts'
import type { Runs } from '../runs/port.ts'

/** Demand of a home now, kW, and its percentage of the contract capacity in force; null if its meters cannot determine it. */
export interface HomeDemand {
  Rolling: number | null
  Forecast: number | null
  Share: number | null
}

/** Energy of a meter since the current hour, day and month began in the home's zone, kWh; null if unknown. */
export interface MeterSums {
  HourlyKwh: number | null
  DailyKwh: number | null
  MonthlyKwh: number | null
}

/** Ports to other features. */
export interface EnginePorts {
  runs: Runs
  /** Demand of a home at a time, epoch ms. */
  readDemand(home: EngineHomeKey, at: number): Promise<HomeDemand>
  /** Sums of a meter or virtual meter at a time, epoch ms. */
  readSums(home: EngineHomeKey, uid: string, at: number): Promise<MeterSums>
  /** Energy of a meter or virtual meter in the 60 minutes before a time, kWh; null if unknown. */
  readPace(home: EngineHomeKey, uid: string, at: number): Promise<number | null>
  /** Raises, updates and clears alarms of rules. */
  alarms: RuleAlarms
  notify: Notify
}

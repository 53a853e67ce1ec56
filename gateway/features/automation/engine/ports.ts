import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import type { RuleAlarms } from '../../../domain/alarms/rule-alarms.ts'
import type { Runs } from '../runs/port.ts'

/** What a home draws now, kW, and per cent of the contract capacity in force; null for what its meters cannot say. */
export interface HomeDemand {
  Rolling: number | null
  Forecast: number | null
  Share: number | null
}

/** What a meter counted since the hour, day and month began by the home's clock, kWh; null for what is not known. */
export interface MeterSums {
  HourlyKwh: number | null
  DailyKwh: number | null
  MonthlyKwh: number | null
}

/** Names a home of a company. */
export interface EngineHomeKey {
  tenant: string
  homeId: string
}

/** What the engine needs of others. */
export interface EnginePorts {
  runs: Runs
  /** What a home draws at a moment, epoch ms. */
  demandOf(home: EngineHomeKey, at: number): Promise<HomeDemand>
  /** What a meter, or a virtual meter, of a home has counted at a moment, epoch ms. */
  sumsOf(home: EngineHomeKey, uid: string, at: number): Promise<MeterSums>
  /** What a meter, or a virtual meter, of a home has counted in the 60 minutes before a moment, kWh; null where that is not known. */
  paceOf(home: EngineHomeKey, uid: string, at: number): Promise<number | null>
  /** What becomes of the alarms that rules raise. */
  alarms: RuleAlarms
  tell: Notify
}

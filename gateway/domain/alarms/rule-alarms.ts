import type { AlarmReading } from '../../../contract/alarms/calls.ts'
import type { AlarmSeverity } from '../../../contract/kernel/alarm-severity.ts'
import type { Escalation, NotifySettings } from '../../../contract/automation/alarm-part.ts'
import type { Db } from '../../store/db.ts'

/** An alarm that an automation of type 4 raises. */
export interface RuleAlarm {
  tenant: string
  homeId: string
  automationId: string
  automationName: string
  kind: 'rule' | 'ahead'
  severity: AlarmSeverity
  /** The one device of its conditions; null for the home, and for several. */
  peripheralUid: string | null
  readings: readonly AlarmReading[]
  /** Since when its conditions have held, epoch ms. */
  at: number
  /** What made it true is so old that nobody is sent anything. */
  late: boolean
  notify: NotifySettings | undefined
  escalate: readonly Escalation[]
}

interface Key {
  tenant: string
  automationId: string
  kind: RuleAlarm['kind']
}

/** What automations do with alarms, in the transaction in which they decide. */
export interface RuleAlarms {
  /** Raises one, or changes the one that is open already. */
  raise(tx: Db, alarm: RuleAlarm): Promise<void>
  /** Notes what is measured now; nothing where none is open. */
  change(tx: Db, key: Key & { readings: readonly AlarmReading[]; at: number }): Promise<void>
  /** Ends it by itself; nothing where none is open. */
  clear(tx: Db, key: Key & { at: number }): Promise<void>
}

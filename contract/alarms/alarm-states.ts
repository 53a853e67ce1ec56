import { deviceTypes, isMeter } from '../devices/kinds/registry.ts'
import type { DeviceStatus } from '../devices/kinds/status.ts'
import { troublesOf, type Trouble, capabilitiesOf } from '../devices/device-health.ts'
import type { Peripheral } from '../devices/peripheral.ts'
import type { Severity } from '../kernel/severity.ts'

/** Time in ms after which a disconnected hub counts as lost rather than reconnecting. */
export const HUB_LOST_AFTER_MS = 60_000
/** Time in ms that readings must be outside their limits to raise an alarm, or within them to clear it. */
export const BREACH_HOLD_MS = 60_000
/** Time in ms after it was added within which a device should send its first report. */
export const FIRST_REPORT_TIMEOUT_MS = 600_000
/** Share of the contract capacity at which the demand of a home needs attention. */
export const DEMAND_WARNING_SHARE = 0.95
/** Number of missed reports after which a meter is silent. */
const REPORTS_DUE = 3

export const meterSilentAfter = ({
  PowerMeterUpdateFrequency,
}: Pick<Peripheral, 'PowerMeterUpdateFrequency'>): number => REPORTS_DUE * PowerMeterUpdateFrequency * 1000

/** Severity by kind of attention item and alarm. Information raises no alarm, nor does a low battery. */
export const SEVERITY_OF = {
  /** urgent: a state means alarm rather than warning. */
  state: (urgent: boolean) => (urgent ? 'critical' : 'warning'),
  breach: () => 'critical',
  /** matters: a device behind the hub is vital (`isVital`). */
  hubLost: (isRelevant: boolean) => (isRelevant ? 'critical' : 'warning'),
  meterSilent: () => 'warning',
  silent: (device: Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>) =>
    isMissed(device) ? 'warning' : 'info',
  lowBattery: () => 'warning',
  /** isOver: the contract capacity is reached; each kW above it is fined. */
  demand: (isOver: boolean) => (isOver ? 'critical' : 'warning'),
  neverSeen: () => 'info',
  quarantined: () => 'info',
} as const satisfies Record<string, (facts: never) => Severity>

/** Whether the silence of a device needs immediate action: smoke detectors, doors, and meters without a parent meter. */
export const isVital = (
  device: Pick<Peripheral, 'PeripheralType' | 'ParentMeter'>,
  status: DeviceStatus | undefined,
): boolean =>
  (device.ParentMeter === null && isMeter(device, status)) ||
  capabilitiesOf(device.PeripheralType).some(({ name }) => name === 'smoke' || name === 'door')

/** Whether the silence of a device is a warning: it can report an alarm or a warning, or a user set its silence limit. */
const isMissed = ({ PeripheralType, SilentAfter }: Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>) =>
  SilentAfter !== null ||
  capabilitiesOf(PeripheralType).some(({ choices = {} }) =>
    Object.values(choices).some((values) =>
      values.some(([, , meaning]) => meaning === 'alarm' || meaning === 'warning'),
    ),
  )

/** Alarm or warning that a device reports in its status. */
interface AlarmingField {
  Severity: 'critical' | 'warning'
  /** Fields that mean alarm or warning, and those that make their capability apply. */
  Values: Record<string, number>
  /** Whether the state endangers life, as smoke and fire do; maintenance does not silence it. */
  isFire: boolean
}

/** Device types with a state that means alarm or warning. An open door does not count. */
const TYPES: ReadonlySet<string> = new Set(
  deviceTypes.flatMap(({ type, capabilities }) =>
    capabilities.some(
      ({ name, choices }) =>
        name !== 'door' &&
        Object.values(choices ?? {}).some((values) =>
          values.some(([, , meaning]) => meaning === 'alarm' || meaning === 'warning'),
        ),
    )
      ? [type]
      : [],
  ),
)

export const alarmTypes: readonly string[] = [...TYPES]

/** Whether status reports of this device type can raise an alarm. */
export const hasAlarmStates = (PeripheralType: string): boolean => TYPES.has(PeripheralType)

/** Alarm state in a status; undefined if there is none. */
export function alarmStateOf(status: DeviceStatus): AlarmingField | undefined {
  const { troubles, urgent } = troublesOf(status, status)
  if (troubles.length === 0) return undefined
  return {
    Severity: SEVERITY_OF.state(urgent),
    Values: valuesOf(troubles),
    isFire: troubles.some(endangersLife),
  }
}

const valuesOf = (troubles: readonly Trouble[]): Record<string, number> =>
  Object.assign(
    {},
    ...troubles.map(({ capability, field, value }) => ({ ...capability.when, [field]: value })),
  )

/** Index of a life-threatening value among the choices of its field, else -1; a faulty smoke detector threatens no life. */
const dangerOf = ({ capability, field, value }: Trouble): number =>
  capability.lifeSafety
    ? (capability.choices?.[field] ?? []).findIndex(
        ([known, , meaning]) => known === value && meaning === 'alarm',
      )
    : -1

const endangersLife = (trouble: Trouble): boolean => dangerOf(trouble) >= 0

/** Whether the danger to life has increased: in another field, or by a later choice of the same field, e.g. fire after smoke. */
export function isMoreDangerous(
  PeripheralType: string,
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): boolean {
  const previousDanger = new Map(
    troublesOf({ PeripheralType }, before).troubles.map((trouble) => [trouble.field, dangerOf(trouble)]),
  )
  return troublesOf({ PeripheralType }, now).troubles.some(
    (trouble) => dangerOf(trouble) > (previousDanger.get(trouble.field) ?? -1),
  )
}

export function isFireReported({
  PeripheralType,
  Values,
}: {
  PeripheralType: string
  Values: Readonly<Record<string, number>>
}): boolean {
  return troublesOf({ PeripheralType }, Values).troubles.some(endangersLife)
}

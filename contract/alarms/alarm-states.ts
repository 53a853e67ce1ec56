import { deviceTypes } from '../devices/kinds/registry.ts'
import type { DeviceStatus } from '../devices/kinds/status.ts'
import { SEVERITY_OF } from './alarm-kinds.ts'
import { troublesOf, type Trouble } from '../devices/device-health.ts'

/** Alarm or warning that a device reports in its status. */
export interface AlarmingField {
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

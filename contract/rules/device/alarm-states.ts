import { deviceTypes } from '../../device-kinds/registry.ts'
import type { DeviceStatus } from '../../device-kinds/status.ts'
import { SEVERITY_OF } from './alarm-kinds.ts'
import { troublesOf, type Trouble } from './troubles.ts'

/** What a device says of itself that is an alarm. */
export interface AlarmState {
  Severity: 'critical' | 'warning'
  /** The fields that mean alarm or warning, and those that make their capability apply. */
  Values: Record<string, number>
  /** Whether it is smoke or fire, which maintenance does not silence. */
  isFire: boolean
}

/** Types of devices with a state that means alarm or warning. An open door is none. */
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

/** Whether reports of a type of device can raise an alarm by what they say. */
export const hasAlarmStates = (PeripheralType: string): boolean => TYPES.has(PeripheralType)

/** What a status says that is an alarm; undefined when nothing is. */
export function alarmStateOf(status: DeviceStatus): AlarmState | undefined {
  const { troubles, urgent } = troublesOf(status, status)
  if (troubles.length === 0) return undefined
  return {
    Severity: SEVERITY_OF.state(urgent),
    Values: valuesOf(troubles),
    isFire: tellsOfFire(troubles, urgent),
  }
}

/** The fields that mean alarm or warning, and those that make their capability apply. */
const valuesOf = (troubles: readonly Trouble[]): Record<string, number> =>
  Object.assign(
    {},
    ...troubles.map(({ capability, field, value }) => ({ ...capability.when, [field]: value })),
  )

/** Whether troubles are smoke or fire; a smoke detector that asks to be mended tells of none. */
const tellsOfFire = (troubles: readonly Trouble[], urgent: boolean): boolean =>
  urgent && troubles.some(({ capability }) => capability.name === 'smoke')

/** Whether the values of a state that means alarm or warning are smoke or fire. */
export function saysFire({
  PeripheralType,
  Values,
}: {
  PeripheralType: string
  Values: Readonly<Record<string, number>>
}): boolean {
  const { troubles, urgent } = troublesOf({ PeripheralType }, Values)
  return tellsOfFire(troubles, urgent)
}

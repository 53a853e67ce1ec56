import { applies, type CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { parseCommandValues } from '../../../../contract/devices/kinds/status.ts'
import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import type { runs } from '../../../../contract/automation/run-calls.ts'
import { settleAll } from '../../../../contract/devices/modbus/modbus-values.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { loadDevices, type TargetDevice } from './targets.ts'

/** Fields that trigger something or count down, and so are not part of a device's state. */
const MOMENTARY = ['SendIR', 'Calibration', 'Move', 'OnTimer', 'OffTimer', 'ScheduleOff']

/** Actions that set devices to their present state. Errors: NOT_FOUND, INVALID with notControllable. */
export const captureScene: Handler<typeof runs.captureScene> = async (
  { HomeID, PeripheralList },
  { db, actor },
) => {
  await findHome(db, actor.tenant, HomeID)
  const home = { tenant: actor.tenant, homeId: HomeID }
  const found = new Map((await loadDevices(db, home, { uids: PeripheralList })).map((one) => [one.uid, one]))
  const reject = (code: 'NOT_FOUND' | 'INVALID', reason: FieldReason, isWrong: (uid: string) => boolean) => {
    const fields = PeripheralList.flatMap((uid, i) =>
      isWrong(uid) ? [[`PeripheralList.${i}`, reason] as const] : [],
    )
    if (fields.length > 0)
      throw new GatewayError(code, 'These devices cannot be captured', Object.fromEntries(fields))
  }
  reject('NOT_FOUND', 'notFound', (uid) => !found.has(uid))
  reject('INVALID', 'notControllable', (uid) => !parseCommandValues(found.get(uid)?.type ?? '', {}))
  const captured = [...new Set(PeripheralList)].map((uid) => ({ uid, values: presentValues(found.get(uid)) }))
  return {
    Actions: captured.flatMap(({ uid, values }) =>
      values ? [{ PeripheralUID: uid, Values: values, After: 0, IfOffline: 'fail' as const }] : [],
    ),
    Unknown: captured.flatMap(({ uid, values }) => (values ? [] : [uid])),
  }
}

/** Command values for a device's present state; undefined if that is unknown. */
function presentValues(device: TargetDevice | undefined): CommandValues | undefined {
  if (!device?.status || !device.online) return undefined
  const { status, type } = device
  const values: CommandValues = {}
  for (const capability of deviceType(type)?.capabilities ?? []) {
    if (!applies(capability, status)) continue
    for (const field of Object.keys(capability.command)) {
      const value = presentValue(field, device)
      if (value !== undefined && value !== null && !MOMENTARY.includes(field)) values[field] = value
    }
  }
  const parsed = parseCommandValues(type, values)
  return parsed?.success ? parsed.data : undefined
}

function presentValue(field: string, { status, modbusRows }: TargetDevice): unknown {
  const value = status?.[field]
  // A cover's present position is the target that restores it.
  if (field === 'TargetPosition') return status?.['Position']
  if (field === 'ThermostatTable' && Array.isArray(value)) {
    const zones = (
      value as { NodeID: number; Switch?: number | null; TargetTemperature?: number | null }[]
    ).flatMap(({ NodeID, Switch, TargetTemperature }) =>
      typeof Switch !== 'number' && typeof TargetTemperature !== 'number'
        ? []
        : [
            {
              NodeID,
              ...(typeof Switch === 'number' && { Switch }),
              ...(typeof TargetTemperature === 'number' && { TargetTemperature }),
            },
          ],
    )
    return zones.length > 0 ? zones : undefined
  }
  if (field === 'ModbusValues') {
    const registers = Object.entries((value ?? {}) as Record<string, number | null>).filter(
      ([key, one]) => one !== null && settleAll(modbusRows ?? [], { [key]: one }) !== undefined,
    )
    return registers.length > 0 ? Object.fromEntries(registers) : undefined
  }
  return value ?? undefined
}

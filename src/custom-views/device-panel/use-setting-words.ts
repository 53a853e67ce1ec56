import { modbusTable, type StoredModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { silentAfter } from '../../../contract/devices/device-health.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { callKey, queryClient } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** From the cache: the form's field has loaded them if the device has one. */
const tables = (): readonly StoredModbusTable[] =>
  queryClient.getQueryData(callKey(modbusTable.operations.list, {})) ?? []

/** Texts for a device's settings, with names instead of ids. */
export function useSettingWords(
  rooms: readonly Room[],
  meters: readonly Peripheral[],
): (field: keyof Peripheral, device: Peripheral) => string {
  const t = useT()
  return (field, device) => {
    const value = device[field]
    switch (field) {
      case 'RoomID':
        return rooms.find(({ RoomID }) => RoomID === value)?.RoomName ?? '–'
      case 'ParentMeter':
        return (
          meters.find(({ PeripheralUID }) => PeripheralUID === value)?.PeripheralName ??
          t('devices:noParentMeter')
        )
      case 'ModbusTableID':
        return tables().find(({ ModbusTableID }) => ModbusTableID === value)?.TableName ?? '–'
      case 'ControlMode':
        return t(`devices:controlMode.${device.ControlMode as 0 | 1 | 2}`)
      case 'PhaseElectricPower':
        return t(`devices:phases.${device.PhaseElectricPower ?? 'unknown'}`)
      case 'SilentAfter': {
        if (device.SilentAfter !== null) return t('devices:minutes', { count: device.SilentAfter })
        const after = silentAfter(device)
        return after === null
          ? t('devices:silentAfter.never')
          : t('devices:silentAfter.byKind', { hours: after / 3_600_000 })
      }
      case 'PulseDuration':
        return device.PulseDuration === null
          ? t('devices:pulseNone')
          : t('devices:minutes', { count: device.PulseDuration / 60 })
      default:
        return value === null || value === '' ? '–' : String(value)
    }
  }
}

import type { IRContainer } from '../../../../contract/devices/capabilities/camera-and-ir.ts'
import type { MmWaveConfig } from '../../../../contract/devices/capabilities/sensors.ts'
import { zone, type ThermostatNode } from '../../../../contract/devices/capabilities/thermostat.ts'
import { applies, type CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { CalibrationCommand } from '../../../../contract/devices/capabilities/light-house.ts'
import { amountText } from '../../../../contract/kernel/numbers.ts'
import { hasText, useT } from '../../../lib/i18n/i18n.ts'
import { useStatus } from '../../../data/status-store.ts'
import { useDeviceFieldWords, MM_WAVE_FIELDS } from '../field-words.ts'

/** Locale key of the button for each calibration step. */
const STEPS = {
  idle: 'cancel',
  initialized: 'begin',
  lightsOn: 'lightsOn',
  lightsOff: 'lightsOff',
  memorizing: 'memorize',
  finished: 'finish',
} as const satisfies Record<CalibrationCommand['Step'], string>

/**
 * Returns a function that describes a command's values: each field with its value, tables entry by entry.
 *
 * containers  learned commands of an infrared remote, to name those that a command sends
 */
export function useCommandWords(
  device: Peripheral,
  containers: readonly IRContainer[] | undefined,
): (values: CommandValues) => string {
  const t = useT()
  const { nameOf, valueOf } = useDeviceFieldWords()
  const status = useStatus(device.PeripheralUID)
  const kindCapabilities = deviceType(device.PeripheralType)?.capabilities ?? []
  // Capabilities that apply come first: the meaning of a number depends on the appliance.
  const capabilities = [
    ...kindCapabilities.filter((candidate) => applies(candidate, status)),
    ...kindCapabilities,
  ]
  const list = (parts: readonly string[]) => parts.join(t('screens:listComma'))
  const set = (field: string, value: string | undefined) =>
    value === undefined ? field : t('devices:commands.set', { field, value })

  const zoneText = ({ NodeID, ...values }: ThermostatNode) => {
    const name = t('devices:climate.zone', { number: NodeID })
    return list(
      Object.entries(values).map(([field, value]) =>
        set(`${name} ${nameOf(zone, field)}`, valueOf(zone, field, value)),
      ),
    )
  }
  const radarText = (config: MmWaveConfig) =>
    list(
      MM_WAVE_FIELDS.map(({ name, unit }) =>
        set(
          t(`devices:mmWave.${name}`),
          unit === undefined
            ? String(config[name])
            : amountText({
                figure: String(config[name]),
                unit: unit === 'seconds' ? t('devices:seconds') : unit,
              }),
        ),
      ),
    )
  const fieldText = ([field, value]: [string, unknown]): string => {
    const capability = capabilities.find(({ command }) => field in command)
    if (!capability) return field
    const name = nameOf(capability, field)
    switch (field) {
      case 'ThermostatTable':
        return list((value as ThermostatNode[]).map(zoneText))
      case 'mmWaveConfig':
        return radarText(value as MmWaveConfig)
      case 'SendIR': {
        const { ContMID } = value as Pick<IRContainer, 'ContMID'>
        return set(name, containers?.find((container) => container.ContMID === ContMID)?.ContMName || ContMID)
      }
      case 'Calibration': {
        // These translations load with the signal tower's panel.
        const key: string = `lightHouse:do.${STEPS[(value as CalibrationCommand).Step]}`
        return set(name, hasText(key) ? t(key) : undefined)
      }
      case 'ModbusValues':
        return set(
          name,
          list(Object.entries(value as Record<string, number>).map(([key, item]) => set(key, String(item)))),
        )
      default:
        return set(name, valueOf(capability, field, value))
    }
  }
  return (values) => list(Object.entries(values).map(fieldText))
}

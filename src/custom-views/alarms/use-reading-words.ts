import { capabilityAt } from '../../../contract/devices/kinds/capability-at.ts'
import type { Capability } from '../../../contract/devices/capabilities/capability.ts'
import { readPath } from '../../../contract/devices/kinds/history-fields.ts'
import { deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import { HOME_MEASURES, METER_SUMS } from '../../../contract/automation/condition.ts'
import { formatQuantity } from '../../../contract/kernel/quantity.ts'
import { useDevices } from '../../data/homes.ts'
import { useDeviceFieldWords } from '../../domain/devices/field-words.ts'
import { useModbusTables } from '../../domain/modbus-table/use-modbus-tables.ts'
import { hasText, useLanguage, useT } from '../../lib/i18n/i18n.ts'

const OWN = [...METER_SUMS, ...HOME_MEASURES, 'SilentFor'] as const
type Own = (typeof OWN)[number]
const UNIT_OF: Readonly<Record<Own, string>> = {
  HourlyKwh: 'kWh',
  DailyKwh: 'kWh',
  MonthlyKwh: 'kWh',
  DemandRolling: 'kW',
  DemandForecast: 'kW',
  DemandShare: '%',
  SilentFor: 's',
}
const ownOf = (path: string): Own | undefined => OWN.find((one) => one === path)

/** Capability that reports a field on any device: alarms of several meters name no type. */
const anywhere = (field: string): Capability | undefined =>
  deviceTypes.flatMap(({ capabilities }) => capabilities).find(({ status }) => field in status)

type Of = Pick<Alarm, 'HomeID' | 'PeripheralUID' | 'PeripheralType'>

/** Names of an alarm's readings, and values with units: power in kW according to §5. */
export interface ReadingWords {
  nameOf(path: string): string
  valueOf(path: string, value: number): string
}

export function useReadingWords(HomeID: string): (alarm: Of) => ReadingWords {
  const t = useT()
  const language = useLanguage()
  const words = useDeviceFieldWords()
  const devices = useDevices(HomeID).data?.Peripherals ?? []
  const hasTables = devices.some(({ ModbusTableID }) => ModbusTableID != null)
  const tables = useModbusTables(hasTables).data
  return ({ PeripheralUID, PeripheralType }) => {
    const table = devices.find((one) => one.PeripheralUID === PeripheralUID)?.ModbusTableID
    const rowOf = (path: string) => {
      const { modbusKey } = readPath(path)
      const rows = tables?.find(({ ModbusTableID }) => ModbusTableID === table)?.Rows ?? []
      return modbusKey === undefined ? undefined : rows.find(({ Key }) => Key === modbusKey)
    }
    const capabilityOf = (path: string) => {
      const { field } = readPath(path)
      return capabilityAt(PeripheralType, path)?.capability ?? anywhere(field)
    }
    const unitOf = (path: string): string | undefined => {
      const own = ownOf(path)
      const { field } = readPath(path)
      const unit = own ? UNIT_OF[own] : (rowOf(path)?.Unit ?? capabilityOf(path)?.units[field])
      return unit || undefined
    }
    return {
      nameOf(path) {
        const own = ownOf(path)
        if (own) return t(`alarms:fields.${own}`)
        const { field, modbusKey } = readPath(path)
        if (modbusKey !== undefined) return rowOf(path)?.Label ?? modbusKey
        const capability = capabilityOf(path)
        return capability ? words.nameOf(capability, field) : path
      },
      valueOf(path, value) {
        const { field } = readPath(path)
        const capability = ownOf(path) ? undefined : capabilityOf(path)
        const unit = unitOf(path)
        if (path === 'SilentFor') return spanText(value, language)
        const said = capability && words.valueOf(capability, field, value)
        if (said !== undefined) return said
        const shown = formatQuantity(value, unit ?? '', (one) =>
          one.toLocaleString(language, { maximumFractionDigits: 2 }),
        )
        return shown.unit
          ? t('devices:figure', { figure: shown.figure, unit: unitText(t, shown.unit) })
          : shown.figure
      },
    }
  }
}

/** Duration in seconds, or whole minutes from one minute on. */
const spanText = (seconds: number, language: string): string =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: seconds >= 60 ? 'minute' : 'second',
    unitDisplay: 'long',
  }).format(seconds >= 60 ? Math.floor(seconds / 60) : seconds)

const unitText = (t: ReturnType<typeof useT>, unit: string): string => {
  const key: string = `devices:units.${unit}`
  return hasText(key) ? t(key) : unit
}

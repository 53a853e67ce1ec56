import type { Alarm, AlarmReadingOverTime } from '../../../contract/alarms/calls.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { fieldShape } from '../../../contract/devices/kinds/field-shape.ts'
import type { Comparison } from '../../../contract/automation/comparison.ts'
import { evaluateCondition } from '../../../contract/automation/evaluate-conditions.ts'
import { troublesOf } from '../../../contract/devices/device-health.ts'
import { useTimeZone, useDevices } from '../../data/homes.ts'
import { useDeviceFieldWords } from '../../domain/devices/field-words.ts'
import { formatClock } from '../../../contract/time/format-time.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useLanguage, useT, hasText } from '../../lib/i18n/i18n.ts'
import { capabilityAt } from '../../../contract/devices/kinds/capability-at.ts'
import type { Capability } from '../../../contract/devices/capabilities/capability.ts'
import { readPath } from '../../../contract/devices/kinds/history-fields.ts'
import { deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import { HOME_MEASURES, METER_SUMS } from '../../../contract/automation/condition.ts'
import { amountText, formatLimit, formatNumber, formatReading } from '../../../contract/kernel/numbers.ts'
import { useModbusTables } from '../../domain/modbus-table/use-modbus-tables.ts'

const OWN_FIELDS = [...METER_SUMS, ...HOME_MEASURES, 'SilentFor'] as const
type OwnField = (typeof OWN_FIELDS)[number]
const UNIT_OF: Readonly<Record<OwnField, string>> = {
  HourlyKwh: 'kWh',
  DailyKwh: 'kWh',
  MonthlyKwh: 'kWh',
  DemandRolling: 'kW',
  DemandForecast: 'kW',
  DemandShare: '%',
  SilentFor: 's',
}
const ownOf = (path: string): OwnField | undefined => OWN_FIELDS.find((known) => known === path)

/** Capability that reports a field on any device: alarms of several meters name no type. */
const findCapability = (field: string): Capability | undefined =>
  deviceTypes.flatMap(({ capabilities }) => capabilities).find(({ status }) => field in status)

type AlarmSubject = Pick<Alarm, 'HomeID' | 'PeripheralUID' | 'PeripheralType'>

/** Names of an alarm's readings, and values with units: power in kW according to §5. */
export interface ReadingWords {
  nameOf(path: string): string
  /** A limit is shown as entered, a reading with the decimals of its quantity. */
  valueOf(path: string, value: number, isLimit?: boolean): string
}

function useReadingWords(HomeID: string): (alarm: AlarmSubject) => ReadingWords {
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
      return capabilityAt(PeripheralType, path)?.capability ?? findCapability(field)
    }
    const unitOf = (path: string): string | undefined => {
      const ownField = ownOf(path)
      const { field } = readPath(path)
      const unit = ownField ? UNIT_OF[ownField] : (rowOf(path)?.Unit ?? capabilityOf(path)?.units[field])
      return unit || undefined
    }
    return {
      nameOf(path) {
        const ownField = ownOf(path)
        if (ownField) return t(`alarms:fields.${ownField}`)
        const { field, modbusKey } = readPath(path)
        if (modbusKey !== undefined) return rowOf(path)?.Label ?? modbusKey
        const capability = capabilityOf(path)
        return capability ? words.nameOf(capability, field) : path
      },
      valueOf(path, value, isLimit = false) {
        const { field } = readPath(path)
        const capability = ownOf(path) ? undefined : capabilityOf(path)
        const unit = unitOf(path)
        if (path === 'SilentFor') return spanText(value, language)
        const isNumber = capability && fieldShape(capability, field).as === 'number'
        const knownText =
          capability && !(isLimit && isNumber) ? words.valueOf(capability, field, value) : undefined
        if (knownText !== undefined) return knownText
        const amount = isLimit
          ? formatLimit(value, unit ?? '')
          : formatReading(value, unit ?? '', (one) => formatNumber(one))
        return amountText({ figure: amount.figure, unit: unitText(t, amount.unit) })
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

/** Name of an alarm's rule, else of its device or hub. */
export const nameOfAlarm = ({
  AutomationName,
  SubjectName,
  PeripheralUID,
  ThingName,
}: Pick<Alarm, 'AutomationName' | 'SubjectName' | 'PeripheralUID' | 'ThingName'>): string =>
  AutomationName ?? SubjectName ?? PeripheralUID ?? ThingName ?? ''

interface AlarmWords {
  /** The problem in one sentence, with values and limits. */
  sentenceOf(alarm: Alarm): string
  valueOf(alarm: Alarm, field: string, value: number, isLimit?: boolean): string
  fieldName(alarm: Alarm, field: string): string
  /** Timestamp in the home's time zone. */
  at(moment: number): string
}

/** Comparisons with a separate threshold for clearing. */
const WITH_CLEAR: readonly Comparison[] = ['>', '>=', '<', '<=', 'outside']

export function useAlarmWords(HomeID: string): AlarmWords {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(HomeID)
  const fields = useDeviceFieldWords()
  const wordsOf = useReadingWords(HomeID)
  const at = (moment: number) => formatClock(moment, gatewayNow(), language, zone)

  function describeReading(alarm: Alarm, reading: AlarmReadingOverTime): string {
    const { Field, Logical, Limit, Value, Raised, Peak, At, CrossesAt } = reading
    const words = wordsOf(alarm)
    const figure = (value: number) => words.valueOf(Field, value)
    const limitText = (value: number) => words.valueOf(Field, value, true)
    const field = words.nameOf(Field)
    if (Value === null && Raised === null) return t('alarms:says.noData', { field })
    if (Value === null)
      return t('alarms:says.thenUnknown', { raised: describeReading(alarm, { ...reading, Value: Raised }) })
    const value = figure(Value)
    // Between the limit and the clearing threshold, or cleared: the last value did not raise the alarm.
    const isShort =
      WITH_CLEAR.includes(Logical) &&
      evaluateCondition({ Logical, Status: Limit }, Value, undefined) === false
    if (alarm.Kind !== 'ahead' && isShort) {
      const limits = Array.isArray(Limit)
        ? t('alarms:says.range', { lower: limitText(Limit[0]), upper: limitText(Limit[1]) })
        : limitText(Limit)
      return Peak === null || Peak === Value
        ? t('alarms:says.was', { field, value, limits })
        : t('alarms:says.peak', { field, value, limits, peak: figure(Peak) })
    }
    if (alarm.Kind !== 'ahead' && alarm.Cleared === null && Raised !== null && figure(Raised) !== value)
      return t('alarms:says.thenLatest', {
        raised: describeReading(alarm, { ...reading, Value: Raised }),
        value,
        at: at(At),
      })
    if (Array.isArray(Limit)) {
      const [lower, upper] = [limitText(Limit[0]), limitText(Limit[1])]
      return t(`alarms:says.${Logical === 'between' ? 'between' : 'outside'}`, { field, value, lower, upper })
    }
    const limit = limitText(Limit)
    if (alarm.Kind === 'ahead')
      return CrossesAt === null
        ? t('alarms:says.aheadNoTime', { field, value, limit })
        : t('alarms:says.ahead', { field, value, limit, at: at(CrossesAt) })
    if (Field === 'SilentFor' && Logical.startsWith('>')) return t('alarms:says.silentFor', { value })
    if (Logical === '=') return t('alarms:says.is', { field, value })
    if (Logical === '!=') return t('alarms:says.isNot', { field, value, limit })
    return t(`alarms:says.${Logical.startsWith('<') ? 'below' : 'above'}`, { field, value, limit })
  }

  function describeState(alarm: Alarm): string {
    const type = alarm.PeripheralType ?? ''
    const status = {
      PeripheralUID: alarm.PeripheralUID ?? '',
      PeripheralType: type,
      Timestamp: alarm.ReportedAt,
      updateAt: alarm.ReportedAt,
      ...alarm.Values,
    } as DeviceStatus
    const states = troublesOf({ PeripheralType: type }, status).troubles.map(
      ({ capability, field, value }) =>
        fields.valueOf(capability, field, value) ?? fields.nameOf(capability, field),
    )
    return t('alarms:says.state', { states: states.join(t('screens:listComma')) })
  }

  return {
    at,
    valueOf: (alarm, field, value, isLimit) => wordsOf(alarm).valueOf(field, value, isLimit),
    fieldName: (alarm, field) => wordsOf(alarm).nameOf(field),
    sentenceOf(alarm) {
      if (alarm.Kind === 'state') return describeState(alarm)
      if (alarm.Kind === 'silent') return t('alarms:says.silent', { at: at(alarm.RaisedAt) })
      if (alarm.Kind === 'hubLost') return t('alarms:says.hubLost', { at: at(alarm.RaisedAt) })
      if (alarm.Readings.length === 0) return t('alarms:says.rule')
      return alarm.Readings.map((reading) => describeReading(alarm, reading)).join(t('alarms:comma'))
    },
  }
}

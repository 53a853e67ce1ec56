import type { Alarm, AlarmReadingOverTime } from '../../../contract/alarms/calls.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import type { Comparison } from '../../../contract/automation/comparison.ts'
import { evaluateCondition } from '../../../contract/automation/evaluate-conditions.ts'
import { troublesOf } from '../../../contract/devices/device-health.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useDeviceFieldWords } from '../../domain/devices/field-words.ts'
import { formatWhen } from '../../lib/format-when.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useReadingWords } from './use-reading-words.ts'

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
  valueOf(alarm: Alarm, field: string, value: number): string
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
  const at = (moment: number) => formatWhen(moment, language, zone)

  function saysReading(alarm: Alarm, reading: AlarmReadingOverTime): string {
    const { Field, Logical, Limit, Value, Raised, Peak, At, CrossesAt } = reading
    const words = wordsOf(alarm)
    const figure = (value: number) => words.valueOf(Field, value)
    const field = words.nameOf(Field)
    if (Value === null && Raised === null) return t('alarms:says.noData', { field })
    if (Value === null)
      return t('alarms:says.thenUnknown', { raised: saysReading(alarm, { ...reading, Value: Raised }) })
    const value = figure(Value)
    // Between the limit and the clearing threshold, or cleared: the last value did not raise the alarm.
    const isShort =
      WITH_CLEAR.includes(Logical) &&
      evaluateCondition({ Logical, Status: Limit }, Value, undefined) === false
    if (alarm.Kind !== 'ahead' && isShort) {
      const limits = Array.isArray(Limit)
        ? t('alarms:says.range', { lower: figure(Limit[0]), upper: figure(Limit[1]) })
        : figure(Limit)
      return Peak === null || Peak === Value
        ? t('alarms:says.was', { field, value, limits })
        : t('alarms:says.peak', { field, value, limits, peak: figure(Peak) })
    }
    if (alarm.Kind !== 'ahead' && alarm.Cleared === null && Raised !== null && figure(Raised) !== value)
      return t('alarms:says.thenLatest', {
        raised: saysReading(alarm, { ...reading, Value: Raised }),
        value,
        at: at(At),
      })
    if (Array.isArray(Limit)) {
      const [lower, upper] = [figure(Limit[0]), figure(Limit[1])]
      return t(`alarms:says.${Logical === 'between' ? 'between' : 'outside'}`, { field, value, lower, upper })
    }
    const limit = figure(Limit)
    if (alarm.Kind === 'ahead')
      return CrossesAt === null
        ? t('alarms:says.aheadNoTime', { field, value, limit })
        : t('alarms:says.ahead', { field, value, limit, at: at(CrossesAt) })
    if (Logical === '=') return t('alarms:says.is', { field, value })
    if (Logical === '!=') return t('alarms:says.isNot', { field, value, limit })
    return t(`alarms:says.${Logical.startsWith('<') ? 'below' : 'above'}`, { field, value, limit })
  }

  function saysState(alarm: Alarm): string {
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
    valueOf: (alarm, field, value) => wordsOf(alarm).valueOf(field, value),
    fieldName: (alarm, field) => wordsOf(alarm).nameOf(field),
    sentenceOf(alarm) {
      if (alarm.Kind === 'state') return saysState(alarm)
      if (alarm.Kind === 'silent') return t('alarms:says.silent', { at: at(alarm.RaisedAt) })
      if (alarm.Kind === 'hubLost') return t('alarms:says.hubLost', { at: at(alarm.RaisedAt) })
      if (alarm.Readings.length === 0) return t('alarms:says.rule')
      return alarm.Readings.map((reading) => saysReading(alarm, reading)).join(t('alarms:comma'))
    },
  }
}

import { useQuery } from '@tanstack/react-query'
import { capabilityAt, reachability } from '../../../../contract/devices/kinds/capability-at.ts'
import { PLAIN_VALUE } from '../../../../contract/devices/capabilities/sensors.ts'
import { zone } from '../../../../contract/devices/capabilities/thermostat.ts'
import { ONLINE, readPath } from '../../../../contract/devices/kinds/history-fields.ts'
import { VIRTUAL_PREFIX, virtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { HOME_MEASURES, HOME_SUBJECT, METER_SUMS } from '../../../../contract/automation/condition.ts'
import {
  fieldsOfSubject,
  type Subject,
  subjectField,
  type SubjectField,
} from '../../../../contract/automation/subject-fields.ts'
import { amountText, formatLimit, shownUnit } from '../../../../contract/kernel/numbers.ts'
import type { ActionFacts } from '../targets/use-action-facts.ts'
import { callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { statuses } from '../../../data/status-store.ts'
import { useDeviceFieldWords, useSensorWords } from '../../devices/field-words.ts'
import { useModbusTables } from '../../modbus-table/use-modbus-tables.ts'
import { hasText, useT } from '../../../lib/i18n/i18n.ts'
import { capitalized, durationOf, formatPhrase } from './phrase.ts'

/** Possible subjects of conditions, and their names. */
export interface Subjects {
  /** Undefined if it was deleted or has not loaded. */
  find(uid: string): Subject | undefined
  /** Name within a sentence. */
  nameOf(uid: string): string
  /** Name at the beginning of a line. */
  labelOf(uid: string): string
  /** Fields that a condition on it may use. */
  fieldsOf(uid: string): SubjectField[]
  fieldOf(uid: string, path: string): SubjectField | undefined
  fieldName(uid: string, path: string): string
  /** A value with its unit, or its name. */
  valueName(uid: string, path: string, value: number): string
  /** Display unit next to a figure; undefined for none. */
  unitName(uid: string, path: string): string | undefined
  /** Virtual meters by name. */
  virtual: readonly { id: string; name: string }[]
  /** Whether everything has loaded. */
  isKnown: boolean
}

/** Measures that are not fields of a device. */
const OWN_FIELDS = [...METER_SUMS, ...HOME_MEASURES, 'SilentFor'] as const

/** Possible subjects of conditions in a home. */
export function useSubjects(facts: ActionFacts): Subjects {
  const t = useT()
  const words = useDeviceFieldWords()
  const sensor = useSensorWords()
  const mayReadMeters = useMay('electricity', 'Read')
  const meters = useQuery({
    ...callQuery(virtualMeter.operations.list, { HomeID: facts.HomeID }),
    enabled: mayReadMeters,
  })
  const hasTables = [...facts.devices.values()].some(({ ModbusTableID }) => ModbusTableID != null)
  const tables = useModbusTables(hasTables)
  const deviceOf = (uid: string) => facts.devices.get(uid)
  const rowsOf = (uid: string) => {
    const id = deviceOf(uid)?.ModbusTableID
    return tables.data?.find(({ ModbusTableID }) => ModbusTableID === id)?.Rows ?? []
  }
  const meterOf = (uid: string) => meters.data?.find(({ VirtualMeterID }) => VirtualMeterID === uid)

  const find = (uid: string): Subject | undefined => {
    if (uid === HOME_SUBJECT) return { PeripheralUID: uid }
    if (uid.startsWith(VIRTUAL_PREFIX)) return meterOf(uid) && { PeripheralUID: uid }
    const device = deviceOf(uid)
    return (
      device && {
        PeripheralUID: uid,
        type: device.PeripheralType,
        status: statuses.get(uid),
        modbusKeys: Object.fromEntries(rowsOf(uid).map(({ Key, Unit }) => [Key, Unit])),
      }
    )
  }
  const fieldOf = (uid: string, path: string) => {
    const subject = find(uid)
    return subject && subjectField(subject, path)
  }
  const unitName = (uid: string, path: string) => {
    const unit = shownUnit(fieldOf(uid, path)?.unit ?? '')
    const key: string = `devices:units.${unit}`
    return unit ? (hasText(key) ? t(key) : unit) : undefined
  }
  const ownName = (uid: string) => deviceOf(uid)?.PeripheralName ?? meterOf(uid)?.VirtualMeterName
  // A subject counts as deleted only if its list has loaded and the user may read it.
  const mayBeGone = (uid: string) =>
    uid.startsWith(VIRTUAL_PREFIX) ? meters.data !== undefined : facts.known.devices
  const nameOf = (uid: string) =>
    uid === HOME_SUBJECT
      ? t('automation:rule.home')
      : (ownName(uid) ?? t(`automation:rule.${mayBeGone(uid) ? 'goneDevice' : 'someDevice'}`))
  const typeOf = (uid: string) => deviceOf(uid)?.PeripheralType ?? null

  return {
    find,
    fieldOf,
    unitName,
    fieldsOf: (uid) => {
      const subject = find(uid)
      return subject ? fieldsOfSubject(subject) : []
    },
    nameOf,
    labelOf: (uid) => ownName(uid) ?? capitalized(nameOf(uid)),
    fieldName(uid, path) {
      const ownField = OWN_FIELDS.find((field) => field === path)
      if (ownField) return t(`automation:rule.fields.${ownField}`)
      const { field, zone: node, modbusKey } = readPath(path)
      if (modbusKey !== undefined) return rowsOf(uid).find(({ Key }) => Key === modbusKey)?.Label ?? modbusKey
      if (node !== undefined)
        return t('automation:actions.zoneField', {
          zone: t('devices:climate.zone', { number: node }),
          field: words.nameOf(zone, field),
        })
      if (path === PLAIN_VALUE) return sensor.nameOf(statuses.get(uid))
      const capability = capabilityAt(typeOf(uid), path)
      return capability ? words.nameOf(capability.capability, field) : path
    },
    valueName(uid, path, value) {
      if (path === 'SilentFor') return formatPhrase(t, durationOf(value))
      const shape = fieldOf(uid, path)?.shape
      const capability = path === ONLINE ? reachability : capabilityAt(typeOf(uid), path)?.capability
      if (capability && shape !== 'number' && shape !== 'counter')
        return words.valueOf(capability, readPath(path).field, value) ?? String(value)
      const { figure } = formatLimit(value, fieldOf(uid, path)?.unit ?? '')
      return amountText({ figure, unit: unitName(uid, path) ?? '' })
    },
    virtual: (meters.data ?? []).map(({ VirtualMeterID, VirtualMeterName }) => ({
      id: VirtualMeterID,
      name: VirtualMeterName,
    })),
    isKnown:
      facts.known.devices &&
      (!hasTables || tables.data !== undefined) &&
      (!mayReadMeters || meters.data !== undefined),
  }
}

import { useQuery } from '@tanstack/react-query'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import { automation } from '../../../contract/automation/automation.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { pathTo } from '../../navigation/paths.ts'

/** Alarms of automations of type 4. */
export const isOfRule = ({ Kind }: Pick<Alarm, 'Kind'>): boolean => Kind === 'rule' || Kind === 'ahead'

/** Whether an alarm is of a device that smells smoke. */
export const isOfSmoke = ({ PeripheralType }: Pick<Alarm, 'PeripheralType'>): boolean =>
  PeripheralType !== null && capabilityOf(PeripheralType, 'smoke') !== undefined

/** Which alarms a person may acknowledge, shelve, comment on and clear. */
export function useMayAct(): (alarm: Pick<Alarm, 'Kind'>) => boolean {
  const [rules, devices] = [useMay('power_meter_alarm', 'Control'), useMay('device_control', 'Control')]
  return (alarm) => rules || (devices && !isOfRule(alarm))
}

export interface AlarmPlaces {
  /** Where the device or hub of an alarm is shown; undefined for none and what is gone. */
  toSubject(alarm: Alarm): string | undefined
  /** Where its rule is set; undefined for none, for what is gone, and without the right to see it. */
  toRule(alarm: Alarm): string | undefined
  /** Whether its rule is known to be gone. */
  isRuleGone(alarm: Alarm): boolean
}

/** What of a home its alarms are about, and whether that is there. */
export function useAlarmPlaces(HomeID: string): AlarmPlaces {
  const snapshot = useDevices(HomeID).data
  const mayReadRules = useMay('power_meter_alarm', 'Read')
  const rules = useQuery({
    ...callQuery(automation.operations.list, { HomeID, AutomationType: 4 }),
    enabled: mayReadRules,
  }).data
  const deviceOf = (uid: string | null) =>
    snapshot?.Peripherals.find(({ PeripheralUID }) => PeripheralUID === uid)
  const hubOf = (name: string | null | undefined) =>
    snapshot?.Things.find(({ ThingName }) => ThingName === name)
  const isRuleGone = ({ AutomationID }: Alarm) =>
    AutomationID !== null && rules?.some((rule) => rule.AutomationID === AutomationID) === false

  return {
    isRuleGone,
    toSubject({ PeripheralUID, ThingName }) {
      const id = deviceOf(PeripheralUID)?.PeripheralUID ?? hubOf(ThingName)?.ThingName
      return id === undefined
        ? undefined
        : `${pathTo('DeviceList', { HomeID })}?device=${encodeURIComponent(id)}`
    },
    toRule(alarm) {
      const { AutomationID } = alarm
      return AutomationID !== null && mayReadRules && rules && !isRuleGone(alarm)
        ? pathTo('updateAlarm', { HomeID, automationID: AutomationID })
        : undefined
    },
  }
}

import { useQuery } from '@tanstack/react-query'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import { automation } from '../../../contract/automation/automation.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { pathTo } from '../../navigation/paths.ts'

/** Whether an alarm belongs to an automation of type 4. */
export const isOfRule = ({ Kind }: Pick<Alarm, 'Kind'>): boolean => Kind === 'rule' || Kind === 'ahead'

/** Whether an alarm belongs to a smoke detector. */
export const isOfSmoke = ({ PeripheralType }: Pick<Alarm, 'PeripheralType'>): boolean =>
  PeripheralType !== null && capabilityOf(PeripheralType, 'smoke') !== undefined

/** Alarms that the user may acknowledge, shelve, comment on and clear. */
export function useMayAct(): (alarm: Pick<Alarm, 'Kind'>) => boolean {
  const [rules, devices] = [useMay('power_meter_alarm', 'Control'), useMay('device_control', 'Control')]
  return (alarm) => rules || (devices && !isOfRule(alarm))
}

export interface AlarmPlaces {
  /** Address of its device or hub; undefined if there is none or it was deleted. */
  toSubject(alarm: Alarm): string | undefined
  /** Address of its rule; undefined if there is none, it was deleted, or the user may not see it. */
  toRule(alarm: Alarm): string | undefined
  /** Whether its rule is known to be deleted. */
  isRuleGone(alarm: Alarm): boolean
}

/** Places of a home's alarms, and whether they still exist. */
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

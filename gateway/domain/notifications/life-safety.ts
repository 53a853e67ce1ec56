import type { Notification } from '../../../contract/notifications/calls.ts'

/** Set to 1 in the Values of notifications on alarms that endanger life: fire, smoke, gas, a water leak, a call for help. */
export const LIFE_SAFETY = 'lifeSafety'

/** Whether a notification reports danger to life, so that it is sent immediately and individually. The end of the danger does not count. */
export const isLifeSafety = ({
  kind,
  values,
}: {
  kind: Notification['Kind']
  values: Notification['Values']
}): boolean => values[LIFE_SAFETY] === 1 && kind !== 'alarmCleared'

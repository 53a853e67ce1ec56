import type { Notification } from '../../../contract/notifications/calls.ts'

/** Set to 1 in the Values of every notification on an alarm that endangers life: fire, smoke, gas, a water leak, a call for help. */
export const LIFE_SAFETY = 'lifeSafety'

/** Whether a notification says that life is in danger, so that it is sent at once and by itself. That the danger is over is not. */
export const isLifeSafety = ({
  kind,
  values,
}: {
  kind: Notification['Kind']
  values: Notification['Values']
}): boolean => values[LIFE_SAFETY] === 1 && kind !== 'alarmCleared'

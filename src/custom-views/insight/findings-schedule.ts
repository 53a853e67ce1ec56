import { parseCommandValues } from '../../../contract/devices/kinds/status.ts'
import type { Finding } from '../../../contract/findings/calls.ts'
import type { OpeningHours } from '../../../contract/homes/place-facts-calls.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import type { Action } from '../../../contract/automation/action.ts'
import type { RoomDevices } from '../../../contract/devices/room-devices.ts'
import type { Repeating } from '../../../contract/automation/schedule.ts'
import { isCoolingName, isLightName } from '../../../contract/findings/meter-names.ts'
import type { Prefill } from '../../domain/automation/prefill.ts'

/** Time of a schedule: weekdays (0 is Sunday), kind of days, and minutes since midnight. */
type When = Pick<Repeating, 'Weekdays' | 'Days'> & { At: number }
type Values = Record<string, number>

export interface PlaceOfFinding {
  /** Device of its meter. */
  device: Pick<Peripheral, 'PeripheralUID' | 'PeripheralType' | 'RoomID'> | undefined
  /** Present hours; undefined if not configured. */
  hours: OpeningHours | undefined
}

const HOUR = 60
const EVERY_DAY: When = { Weekdays: [0, 1, 2, 3, 4, 5, 6], Days: 'all', At: 0 }
const WORKDAYS: When = { Weekdays: [1, 2, 3, 4, 5], Days: 'all', At: 0 }
const OFF = { Switch: 0 }
const ON = { Switch: 1 }

/** The window with the most weekdays. */
const mainWindow = (hours: OpeningHours | undefined): OpeningHours[number] | undefined =>
  hours?.toSorted((a, b) => b.Weekdays.length - a.Weekdays.length)[0]

/** Closing time of a place; on the next day if it is open past midnight. */
function closingOf(hours: OpeningHours | undefined): When | undefined {
  const window = mainWindow(hours)
  if (!window) return undefined
  const { Weekdays, From, To, Days } = window
  return { Weekdays: To > From ? Weekdays : Weekdays.map((day) => (day + 1) % 7), Days, At: To }
}

function openingOf(hours: OpeningHours | undefined): When | undefined {
  const window = mainWindow(hours)
  return window && { Weekdays: window.Weekdays, Days: window.Days, At: window.From }
}

/** Time and values of a schedule for a finding; undefined if a schedule does not help. */
function planOf({ Kind, Why }: Finding, hours: OpeningHours | undefined): [When, Values] | undefined {
  switch (Kind) {
    case 'leftOn':
      return [closingOf(hours) ?? { ...WORKDAYS, At: 18 * HOUR }, OFF]
    case 'baseNight':
      return [{ ...EVERY_DAY, At: closingOf(hours)?.At ?? 22 * HOUR }, OFF]
    case 'baseWeekend':
      return [{ ...EVERY_DAY, Weekdays: [0, 6] }, OFF]
    case 'setPoint':
      return [
        openingOf(hours) ?? { ...WORKDAYS, At: 9 * HOUR },
        { TargetTemperature: Number(Why.Values['Least']) },
      ]
    // The cheapest hours of Taipower's plans begin at midnight.
    case 'peakShift':
      return [WORKDAYS, ON]
    case 'selfUse':
      return [{ ...EVERY_DAY, At: 10 * HOUR }, ON]
    default:
      return undefined
  }
}

/**
 * Initial values of a schedule for a finding, for the user to check: it switches the device itself if possible, otherwise the lights or
 * climate of the room that the name indicates; otherwise the user chooses the devices.
 */
export function scheduleFor(
  finding: Finding,
  name: string,
  { device, hours }: PlaceOfFinding,
): Prefill | undefined {
  const plan = planOf(finding, hours)
  if (!plan) return undefined
  const [{ Weekdays, Days, At }, values] = plan
  return {
    AutomationName: name.slice(0, 64),
    Schedule: { Weekdays, Days, At, Except: [], From: null, Through: null, OffAfter: 0 },
    Actions: actionsOf(finding, device, values),
  }
}

function actionsOf(
  { Place, PlaceName }: Finding,
  device: PlaceOfFinding['device'],
  values: Values,
): Action[] {
  const common = { After: 0, IfOffline: 'fail' as const }
  if (device && parseCommandValues(device.PeripheralType, values)?.success)
    return [{ PeripheralUID: device.PeripheralUID, Values: values, ...common }]
  const RoomID = Place.RoomID ?? device?.RoomID ?? 0
  const Only: RoomDevices | undefined = isLightName(PlaceName ?? '')
    ? 'lights'
    : isCoolingName(PlaceName ?? '')
      ? 'climate'
      : undefined
  // Room 0 is the default room, which is no physical place.
  return RoomID !== 0 && Only && values === OFF ? [{ RoomID, Only, Values: { On: 0 }, ...common }] : []
}

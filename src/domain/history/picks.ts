import { pickOfDevice } from '../../../contract/devices/kinds/history-fields.ts'
import {
  HistoryPick,
  MAX_HISTORY_SERIES,
  type HistoryDevice,
  type HistoryQuantity,
} from '../../../contract/devices/history-calls.ts'

/** Maximum number of units, and thus axes, in a chart. */
const MAX_AXES = 2

/** A quantity chosen by the user, with its device. */
export interface ChosenQuantity {
  pick: HistoryPick
  device: HistoryDevice
  quantity: HistoryQuantity
}

export const samePick = (a: HistoryPick, b: HistoryPick): boolean =>
  a.PeripheralUID === b.PeripheralUID && a.Field === b.Field

/** Conversion between a pick and its form in the URL, `uid:Field`. Parsing returns undefined for invalid text. */
export const formatPick = ({ PeripheralUID, Field }: HistoryPick): string => `${PeripheralUID}:${Field}`
export function parsePick(text: string): HistoryPick | undefined {
  const [PeripheralUID, Field, ...rest] = text.split(':')
  const pick = rest.length === 0 ? HistoryPick.safeParse({ PeripheralUID, Field }).data : undefined
  return pick && pickOfDevice(pick)
}

/** Picks in a URL without duplicates, limited to the maximum per response. */
export function parsePicks(texts: readonly string[]): HistoryPick[] {
  const picks: HistoryPick[] = []
  for (const text of texts) {
    const pick = parsePick(text)
    if (pick && picks.length < MAX_HISTORY_SERIES && !picks.some((candidate) => samePick(candidate, pick)))
      picks.push(pick)
  }
  return picks
}

/**
 * Splits the picks into those that can be drawn together and the others.
 *
 * selected   found among the devices, and of at most two units; states need no axis
 * missing  not stored, or no longer
 * surplus  of a third unit
 */
export function arrange(picks: readonly HistoryPick[], devices: readonly HistoryDevice[]) {
  const selected: ChosenQuantity[] = []
  const missing: HistoryPick[] = []
  const surplus: ChosenQuantity[] = []
  for (const pick of picks) {
    const device = devices.find(({ PeripheralUID }) => PeripheralUID === pick.PeripheralUID)
    const quantity = device?.Quantities.find(({ Field }) => Field === pick.Field)
    if (!device || !quantity) missing.push(pick)
    else (canAdd(quantity, selected) ? selected : surplus).push({ pick, device, quantity })
  }
  return { chosen: selected, missing, crowded: surplus }
}

/** Units of the chosen quantities, in the order of their axes. */
export const unitsOf = (selected: readonly ChosenQuantity[]): string[] => [
  ...new Set(selected.flatMap(({ quantity }) => (quantity.Kind === 'measured' ? [quantity.Unit] : []))),
]

/** Whether a quantity fits on the axes of the chosen ones. */
export function canAdd({ Kind, Unit }: HistoryQuantity, selected: readonly ChosenQuantity[]): boolean {
  const units = unitsOf(selected)
  return Kind === 'state' || units.includes(Unit) || units.length < MAX_AXES
}

/** Quantities of a device's own chart: those that it can show, and the fields that it shows at first. */
export interface DevicePicks {
  offered: HistoryPick[]
  main: string[]
}

/**
 * Quantities of a device's own chart, the main ones first: indoor temperature and setpoint, or power, or else the first measured one. States
 * need no axis and are always shown.
 */
export function devicePicks({ PeripheralUID, Quantities }: HistoryDevice, maxLines: number): DevicePicks {
  const measured = Quantities.filter(({ Kind }) => Kind === 'measured').map(({ Field }) => Field)
  const states = Quantities.filter(({ Kind }) => Kind === 'state').map(({ Field }) => Field)
  // Of a thermostat with several zones, the first.
  const firstOf = (name: RegExp) => measured.find((field) => name.test(field))
  const indoor = firstOf(/(^Indoor|\.)Temperature$/)
  const setpoint = firstOf(/(^|\.)TargetTemperature$/)
  const main =
    indoor === undefined ? [measured.includes('Power') ? 'Power' : measured[0]] : [indoor, setpoint]
  const mainFields = main.filter((field) => field !== undefined)
  const lines = [...mainFields, ...measured.filter((field) => !mainFields.includes(field))].slice(0, maxLines)
  const offered = [...lines, ...states.slice(0, maxLines)].map((Field) => ({ PeripheralUID, Field }))
  return { offered, main: mainFields }
}

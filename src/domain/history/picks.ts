import { pickOfDevice } from '../../../contract/devices/kinds/history-fields.ts'
import {
  HistoryPick,
  MAX_HISTORY_SERIES,
  type HistoryDevice,
  type HistoryQuantity,
} from '../../../contract/devices/history-calls.ts'

/** Most units that a chart has an axis for. */
const MAX_AXES = 2

/** A quantity that a person chose, with its device. */
export interface ChosenQuantity {
  pick: HistoryPick
  device: HistoryDevice
  quantity: HistoryQuantity
}

export const samePick = (a: HistoryPick, b: HistoryPick): boolean =>
  a.PeripheralUID === b.PeripheralUID && a.Field === b.Field

/** A pick as it stands in the address, `uid:Field`, and back, as one of its device; undefined for what is none. */
export const formatPick = ({ PeripheralUID, Field }: HistoryPick): string => `${PeripheralUID}:${Field}`
export function parsePick(text: string): HistoryPick | undefined {
  const [PeripheralUID, Field, ...rest] = text.split(':')
  const pick = rest.length === 0 ? HistoryPick.safeParse({ PeripheralUID, Field }).data : undefined
  return pick && pickOfDevice(pick)
}

/** The picks of an address: each once, no more than fit in one answer. */
export function parsePicks(texts: readonly string[]): HistoryPick[] {
  const picks: HistoryPick[] = []
  for (const text of texts) {
    const pick = parsePick(text)
    if (pick && picks.length < MAX_HISTORY_SERIES && !picks.some((one) => samePick(one, pick)))
      picks.push(pick)
  }
  return picks
}

/**
 * What of the picks can be drawn together.
 *
 * chosen   found among the devices, and of no more than two units; states need no axis
 * missing  not stored, or not any more
 * crowded  of a third unit
 */
export function arrange(picks: readonly HistoryPick[], devices: readonly HistoryDevice[]) {
  const chosen: ChosenQuantity[] = []
  const missing: HistoryPick[] = []
  const crowded: ChosenQuantity[] = []
  for (const pick of picks) {
    const device = devices.find(({ PeripheralUID }) => PeripheralUID === pick.PeripheralUID)
    const quantity = device?.Quantities.find(({ Field }) => Field === pick.Field)
    if (!device || !quantity) missing.push(pick)
    else (fits(quantity, chosen) ? chosen : crowded).push({ pick, device, quantity })
  }
  return { chosen, missing, crowded }
}

/** The units of what is chosen, in the order of their axes. */
export const unitsOf = (chosen: readonly ChosenQuantity[]): string[] => [
  ...new Set(chosen.flatMap(({ quantity }) => (quantity.Kind === 'measured' ? [quantity.Unit] : []))),
]

/** Whether a quantity has an axis beside those that are chosen. */
export function fits({ Kind, Unit }: HistoryQuantity, chosen: readonly ChosenQuantity[]): boolean {
  const units = unitsOf(chosen)
  return Kind === 'state' || units.includes(Unit) || units.length < MAX_AXES
}

/** What a device is shown with when nobody has chosen: its first quantities, as many as can be read together. */
export function firstPicks(device: HistoryDevice, most: number): HistoryPick[] {
  const picks = device.Quantities.map(({ Field }) => ({ PeripheralUID: device.PeripheralUID, Field }))
  return arrange(picks, [device])
    .chosen.slice(0, most)
    .map(({ pick }) => pick)
}

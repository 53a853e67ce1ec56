import { useEffect, useRef, useState } from 'react'
import type { HistoryDevice, HistoryPick } from '../../../contract/devices/history-calls.ts'
import { deviceRows } from '../../domain/devices/device-rows.ts'
import { rowStates } from '../../domain/devices/row-states.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { isMeter } from '../../../contract/meters/is-meter.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { statuses } from '../../data/status-store.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { arrange } from '../../domain/history/picks.ts'

/** What is known of the devices that are told of. */
interface QuantityContext {
  /** Devices that need somebody. */
  needing: ReadonlySet<string>
  /** The meter that measures what the site draws; undefined where none is known to. */
  main: string | undefined
}

const POWER = 'Power'
/** Counters only ever rise: what they show nobody looks for. */
const COUNTERS = ['AccumulatePower', 'AccumulateReturn']
/** Beside the power of the site. */
const OTHERS = 3

/**
 * What a history shows before anybody has chosen: the power of the site and three measured quantities, those of devices that need
 * somebody first, then one of each device in turn. No more units than a chart has axes for.
 *
 * since  epoch ms: of what was told last before that nothing would be seen
 */
export function firstQuantities(
  devices: readonly HistoryDevice[],
  { needing, main }: QuantityContext,
  since: number,
): HistoryPick[] {
  const told = devices.flatMap((device) =>
    device.PeripheralName === null
      ? []
      : device.Quantities.filter(
          ({ Kind, Field, Last }) =>
            Kind === 'measured' && !COUNTERS.includes(Field) && Last !== null && Last >= since,
        ).map((quantity, place) => ({
          pick: { PeripheralUID: device.PeripheralUID, Field: quantity.Field },
          place,
        })),
  )
  const isMain = ({ PeripheralUID, Field }: HistoryPick) => PeripheralUID === main && Field === POWER
  const site = told.find(({ pick }) => isMain(pick)) ?? told.find(({ pick }) => pick.Field === POWER)
  // The first of each device before the second of any; what parts of the site draw after what else they measure.
  const rank = ({ pick, place }: (typeof told)[number]) =>
    (needing.has(pick.PeripheralUID) ? 0 : 1_000) + 2 * place + (pick.Field === POWER ? 1 : 0)
  const others = told.filter((one) => one !== site).toSorted((a, b) => rank(a) - rank(b))
  const { chosen } = arrange(
    [...(site ? [site] : []), ...others].map(({ pick }) => pick),
    devices,
  )
  return chosen.slice(0, OTHERS + (site ? 1 : 0)).map(({ pick }) => pick)
}

const DAY_MS = 86_400_000

/**
 * Puts what a history begins with into an address that names nothing; once, so that somebody may take all of it away.
 *
 * put      takes the place of the address as it is
 * returns  whether it is still to be found out
 */
export function useFirstQuantities(
  HomeID: string,
  devices: readonly HistoryDevice[],
  isNamed: boolean,
  put: (picks: readonly HistoryPick[]) => void,
): boolean {
  // It began with what the address names, or has been given something to begin with.
  const done = useRef(isNamed)
  const [isDone] = useState(isNamed)
  const mayRead = useMay('device', 'Read')
  const { data: snapshot, error } = useDevices(HomeID)
  const { alarms, maintenances, error: unknown } = useDeviceNotes(mayRead && !isDone)
  const isReady =
    !mayRead ||
    ((snapshot !== undefined || error !== null) &&
      ((alarms !== undefined && maintenances !== undefined) || unknown !== null))
  useEffect(() => {
    if (done.current || !isReady) return
    done.current = true
    const now = gatewayNow()
    const rows = snapshot ? deviceRows(snapshot) : []
    const states = snapshot && rowStates(rows, snapshot, statuses.get, { alarms, maintenances }, now)
    const needing = [...(states ?? [])].filter(([, { states: all }]) => all.includes('attention'))
    const watts = (uid: string) => states?.get(uid)?.watts ?? 0
    const mains = (snapshot?.Peripherals ?? []).filter(
      (device) => device.ParentMeter === null && isMeter(device, statuses.get(device.PeripheralUID)),
    )
    // The meter of the supply where somebody said which it is; else of those below no other the one that draws most.
    const [main] = mains.toSorted(
      (a, b) =>
        Number(b.Role === 'gridImport') - Number(a.Role === 'gridImport') ||
        watts(b.PeripheralUID) - watts(a.PeripheralUID),
    )
    const known: QuantityContext = { needing: new Set(needing.map(([id]) => id)), main: main?.PeripheralUID }
    put(firstQuantities(devices, known, now - DAY_MS))
  }, [isReady, snapshot, alarms, maintenances, devices, put])
  return !isDone && !isReady
}

import { useEffect, useRef, useState } from 'react'
import type { HistoryDevice, HistoryPick } from '../../../contract/devices/history-calls.ts'
import { deviceRows } from '../../domain/devices/device-rows.ts'
import { rowStates } from '../../domain/devices/row-states.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { isMeter } from '../../../contract/devices/kinds/registry.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { statuses } from '../../data/status-store.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { arrange } from '../../domain/history/picks.ts'

interface QuantityContext {
  attentionUids: ReadonlySet<string>
  /** Meter of the site's power; undefined if unknown. */
  main: string | undefined
}

const POWER = 'Power'
/** Counters only rise and are not useful by default. */
const COUNTERS = ['AccumulatePower', 'AccumulateReturn']
/** Number of quantities in addition to the site's power. */
const OTHERS = 3

/**
 * Default quantities of a history: the site's power and three measured quantities, first of devices that need attention, then one per
 * device in turn. Uses at most as many units as a chart has axes.
 *
 * since  epoch ms: quantities last reported before it are skipped
 */
export function firstQuantities(
  devices: readonly HistoryDevice[],
  { attentionUids, main }: QuantityContext,
  since: number,
): HistoryPick[] {
  const reported = devices.flatMap((device) =>
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
  const site = reported.find(({ pick }) => isMain(pick)) ?? reported.find(({ pick }) => pick.Field === POWER)
  // The first quantity of each device before the second of any; power of single devices after their other quantities.
  const rank = ({ pick, place }: (typeof reported)[number]) =>
    (attentionUids.has(pick.PeripheralUID) ? 0 : 1_000) + 2 * place + (pick.Field === POWER ? 1 : 0)
  const otherQuantities = reported
    .filter((candidate) => candidate !== site)
    .toSorted((a, b) => rank(a) - rank(b))
  const { chosen } = arrange(
    [...(site ? [site] : []), ...otherQuantities].map(({ pick }) => pick),
    devices,
  )
  return chosen.slice(0, OTHERS + (site ? 1 : 0)).map(({ pick }) => pick)
}

const DAY_MS = 86_400_000

/**
 * Sets default quantities if the address names none; once, so that the user can remove them all.
 *
 * put      replaces the address
 * returns  whether the defaults are still being determined
 */
export function useFirstQuantities(
  HomeID: string,
  devices: readonly HistoryDevice[],
  isNamed: boolean,
  put: (picks: readonly HistoryPick[]) => void,
): boolean {
  // Done if the address names quantities, or after setting the defaults.
  const isDoneRef = useRef(isNamed)
  const [isDone] = useState(isNamed)
  const mayRead = useMay('device', 'Read')
  const { data: snapshot, error } = useDevices(HomeID)
  const { alarms, maintenances, error: unknown } = useDeviceNotes(mayRead && !isDone)
  const isReady =
    !mayRead ||
    ((snapshot !== undefined || error !== null) &&
      ((alarms !== undefined && maintenances !== undefined) || unknown !== null))
  useEffect(() => {
    if (isDoneRef.current || !isReady) return
    isDoneRef.current = true
    const now = gatewayNow()
    const rows = snapshot ? deviceRows(snapshot) : []
    const states = snapshot && rowStates(rows, snapshot, statuses.get, { alarms, maintenances }, now)
    const attentionRows = [...(states ?? [])].filter(([, { states: all }]) => all.includes('attention'))
    const watts = (uid: string) => states?.get(uid)?.watts ?? 0
    const mains = (snapshot?.Peripherals ?? []).filter(
      (device) => device.ParentMeter === null && isMeter(device, statuses.get(device.PeripheralUID)),
    )
    // The grid import meter if one is configured, else the top-level meter with the highest power.
    const [main] = mains.toSorted(
      (a, b) =>
        Number(b.Role === 'gridImport') - Number(a.Role === 'gridImport') ||
        watts(b.PeripheralUID) - watts(a.PeripheralUID),
    )
    const context: QuantityContext = {
      attentionUids: new Set(attentionRows.map(([id]) => id)),
      main: main?.PeripheralUID,
    }
    put(firstQuantities(devices, context, now - DAY_MS))
  }, [isReady, snapshot, alarms, maintenances, devices, put])
  return !isDone && !isReady
}

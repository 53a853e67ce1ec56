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
import { firstQuantities, type QuantityContext } from './first-quantities.ts'

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

import { useCallback, useEffect, useMemo, useReducer, useState } from 'react'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import { statuses } from '../../data/status-store.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import type { DeviceRow } from '../../domain/devices/device-rows.ts'
import { rowStates, type RowStates } from '../../domain/devices/row-states.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useMay } from '../../data/session.ts'
import { useNow } from '../../ui/page/use-now.ts'

/** Counts follow what devices report, at most so often, in ms. */
const PACE_MS = 1_000

interface Asked {
  HomeID: string
  rows: readonly DeviceRow[]
  snapshot: DeviceSnapshot | undefined
  /** The list is narrowed or sorted by states: what alarms say is not waited with. */
  atOnce: boolean
}

/** What rows are like at the moment in which it is called; another function when other hubs, devices or alarms are known. */
export function useStatesNow({ HomeID, rows, snapshot, atOnce }: Asked): () => RowStates {
  const [settled, setSettled] = useState(false)
  useEffect(() => onQueriesSettled(() => setSettled(true)), [])
  const mayRead = useMay('device', 'Read')
  const { alarms, maintenances } = useDeviceNotes(mayRead && (atOnce || settled))
  return useCallback(
    () =>
      snapshot
        ? rowStates(
            rows,
            snapshot,
            statuses.get,
            {
              alarms: alarms?.filter((alarm) => alarm.HomeID === HomeID),
              maintenances,
              homes: [HomeID],
            },
            gatewayNow(),
          )
        : new Map(),
    [HomeID, rows, snapshot, alarms, maintenances],
  )
}

/**
 * States as they were when somebody last chose how the list is narrowed or sorted: by these it is, so that no row moves by
 * itself. A row that comes is taken as it is then.
 *
 * choice   how it is narrowed and sorted
 * returns  the states, and what takes those of now
 */
export function useHeldStates(
  statesNow: () => RowStates,
  rows: readonly DeviceRow[],
  choice: string,
): { held: RowStates; take: () => void } {
  const [taken, take] = useReducer((count: number) => count + 1, 0)
  const key = `${taken} ${choice}`
  const [kept, setKept] = useState(() => ({ key, states: statesNow() }))
  if (kept.key !== key) setKept({ key, states: statesNow() })
  else if (rows.some(({ id }) => !kept.states.has(id)))
    setKept({ key, states: new Map([...statesNow(), ...kept.states]) })
  return { held: kept.states, take }
}

/** States as they are now. */
export function useLiveStates(statesNow: () => RowStates): RowStates {
  const now = useNow()
  const [tick, look] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = statuses.subscribeAll(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        look()
      }, PACE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  // What is reported is told by the ticks, and silence by the time.
  // oxlint-disable-next-line react/memo-dependencies, react/exhaustive-deps, react-hooks/exhaustive-deps
  return useMemo(() => statesNow(), [statesNow, now, tick])
}

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

/** Minimum interval between updates of the counts. */
const PACE_MS = 1_000

interface StatesOptions {
  HomeID: string
  rows: readonly DeviceRow[]
  snapshot: DeviceSnapshot | undefined
  /** Whether the list is filtered or sorted by state, so that alarms are loaded immediately. */
  isImmediate: boolean
}

/** Function that returns the present states of the rows; its identity changes with hubs, devices and alarms. */
export function useStatesNow({ HomeID, rows, snapshot, isImmediate }: StatesOptions): () => RowStates {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => onQueriesSettled(() => setIsSettled(true)), [])
  const mayRead = useMay('device', 'Read')
  const { alarms, maintenances } = useDeviceNotes(mayRead && (isImmediate || isSettled))
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
 * States at the time when the filters or the order were last chosen; the list uses them, so that rows do not move by themselves. New
 * rows get their state on arrival.
 *
 * choice   filters and order
 * returns  the states, and a function that updates them
 */
export function useHeldStates(
  statesNow: () => RowStates,
  rows: readonly DeviceRow[],
  choice: string,
): { heldStates: RowStates; refresh: () => void } {
  const [version, refresh] = useReducer((count: number) => count + 1, 0)
  const key = `${version} ${choice}`
  const [kept, setKept] = useState(() => ({ key, states: statesNow() }))
  if (kept.key !== key) setKept({ key, states: statesNow() })
  else if (rows.some(({ id }) => !kept.states.has(id)))
    setKept({ key, states: new Map([...statesNow(), ...kept.states]) })
  return { heldStates: kept.states, refresh }
}

export function useLiveStates(statesNow: () => RowStates): RowStates {
  const now = useNow()
  const [tick, reevaluate] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = statuses.subscribeAll(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        reevaluate()
      }, PACE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  // `tick` changes with reports, `now` with silence.
  // oxlint-disable-next-line react/memo-dependencies, react/exhaustive-deps, react-hooks/exhaustive-deps
  return useMemo(() => statesNow(), [statesNow, now, tick])
}

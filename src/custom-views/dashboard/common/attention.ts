import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { attention as calls } from '../../../../contract/attention/calls.ts'
import { attentionOf, type Attention } from '../../../../contract/attention/attention.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { queryClient, refetchAnswer } from '../../../data/api.ts'
import { attentionQuery } from '../../../data/homes.ts'
import { onQueriesSettled } from '../../../data/on-settled.ts'
import { mayNow, useMay } from '../../../data/session.ts'
import { statuses } from '../../../data/status-store.ts'
import {
  cachedDeviceNotes,
  useDeviceNotes,
  type DeviceNotes,
} from '../../../domain/devices/use-device-notes.ts'
import { connection } from '../../../live/channel.ts'
import { clock } from '../../../ui/page/use-now.ts'
import type { LiveValue } from './live-values.ts'
import { liveValue, overviewOf, useLive } from './overview.ts'

/** Polling interval: demand changes without an event. */
const REFETCH_INTERVAL_MS = 60_000
/** Time for which the gateway's answer counts as current during the first connection, before changes are received. */
const CONNECTING_MS = 15_000

type Answer = ResultsOf<typeof calls.listAttention>

export interface AttentionState extends Attention {
  /** Time of the answer, epoch ms; undefined if it is current. */
  asOf: number | undefined
  /** Whether changes are received; without them nothing counts as OK. */
  isLive: boolean
  /** Features that are not shown because a right is missing. */
  without: Answer['Without']
  /** Alarms and maintenance, with whether they could be loaded. */
  notes: DeviceNotes
}

interface AttentionResult {
  /** Undefined while nothing is known. */
  attention: AttentionState | undefined
  /** Set if neither the gateway's answer nor the devices could be loaded. */
  error: Error | null
}

const values = new WeakMap<readonly HomeWithRooms[], LiveValue<AttentionResult>>()

/** Items that need attention in the homes: first from the gateway's answer, then by the same rule from live data of this screen. */
export function useAttention(homes: readonly HomeWithRooms[]): AttentionResult {
  let value = values.get(homes)
  if (!value) {
    value = createAttention(homes)
    values.set(homes, value)
  }
  return useLive(value)
}

function createAttention(homes: readonly HomeWithRooms[]): LiveValue<AttentionResult> {
  /** Last time at which the channel was connected; undefined if never. */
  let lastConnectedAt: number | undefined
  return liveValue(() => {
    const now = clock.get()
    const channel = connection.state.get()
    const isLive = channel === 'connected'
    if (isLive) lastConnectedAt = now
    const state = queryClient.getQueryState<Answer>(attentionQuery.queryKey)
    const answer = state?.data
    const notes = cachedDeviceNotes()
    const live = mayNow('device', 'Read') ? liveAttention(homes, notes, answer, isLive, now) : undefined
    const current = live ?? (answer && { ...answer, Verdict: verdictOf(answer, isLive) })
    const isConnecting = channel === 'idle' || channel === 'connecting'
    const isCurrent = isLive || (isConnecting && answer !== undefined && now - answer.AsOf < CONNECTING_MS)
    const asOf = isCurrent || !current ? undefined : Math.max(lastConnectedAt ?? 0, answer?.AsOf ?? 0) || now
    return {
      attention: current && { ...current, asOf, isLive, without: answer?.Without ?? [], notes },
      error: current ? null : (state?.error ?? null),
    }
  })
}

/** "Clear" holds only while changes are received. */
const verdictOf = ({ Verdict }: Answer, isLive: boolean): Attention['Verdict'] =>
  Verdict === 'clear' && !isLive ? 'unknown' : Verdict

/** Result from this screen's own data; undefined until the devices, alarms and maintenance of every home are loaded. */
function liveAttention(
  homes: readonly HomeWithRooms[],
  { alarms, maintenances }: DeviceNotes,
  answer: Answer | undefined,
  isLive: boolean,
  now: number,
): Attention | undefined {
  const loaded = homes.flatMap((home) => {
    const { snapshot } = overviewOf(home).get()
    return snapshot ? [{ home, snapshot }] : []
  })
  const isComplete = loaded.length === homes.length && alarms !== undefined && maintenances !== undefined
  // The gateway covers all homes, this screen only some.
  if (!isComplete && answer) return undefined
  if (loaded.length === 0) return undefined
  return attentionOf(
    {
      hubs: loaded.flatMap(({ snapshot }) => snapshot.Things),
      devices: loaded.flatMap(({ snapshot }) => snapshot.Peripherals),
      statusOf: statuses.get,
      connected: isLive && isComplete && answer !== undefined,
      alarms,
      maintenances,
      homes: loaded.map(({ home }) => home.HomeID),
      given: answer?.Items,
    },
    now,
  )
}

/** Fetches the attention items again, after an error. */
export const refetchAttention = (): void => refetchAnswer(attentionQuery.queryKey)

/** Fetches what attention is computed from while it is mounted. */
export function useLiveAttention(): void {
  const may = useMay('device', 'Read')
  useQuery({ ...attentionQuery, refetchInterval: REFETCH_INTERVAL_MS, notifyOnChangeProps: [] })
  // Fetched after the page is usable; until then the gateway's answer is used.
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => onQueriesSettled(() => setDrawn(true)), [])
  useDeviceNotes(may && isDrawn)
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { attention as calls } from '../../../../contract/attention/calls.ts'
import { attentionOf, type Attention } from '../../../../contract/attention/attention.ts'
import { attentionQuery } from '../../../data/homes.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { useMay } from '../../../data/session.ts'
import { statuses } from '../../../data/status-store.ts'
import { onQueriesSettled } from '../../../data/on-settled.ts'
import { useDeviceNotes, type DeviceNotes } from '../../../domain/devices/use-device-notes.ts'
import { useConnection } from '../../../live/channel.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import type { HomeOverview } from './use-overview.ts'

/** Polling interval: demand changes without an event. */
const EVERY_MS = 60_000
/** Time for which the gateway's answer counts as current during the first connection, before changes are received. */
const CONNECTING_MS = 15_000

type Answer = ResultsOf<typeof calls.listAttention>

export interface AttentionState extends Attention {
  /** Time of the answer, epoch ms; undefined if it is current. */
  asOf: number | undefined
  /** Whether changes are received; without them nothing counts as OK. */
  isHeard: boolean
  /** Features that are not shown because a right is missing. */
  without: Answer['Without']
  /** Alarms and maintenance, with whether they could be loaded. */
  notes: DeviceNotes
}

/**
 * Items that need attention in all homes: first from the gateway's answer, then by the same rule from live data of this screen.
 *
 * returns  undefined while nothing is known; `error` if neither the gateway's answer nor the devices could be loaded
 */
export function useAttention(overview: readonly HomeOverview[]): {
  morning: AttentionState | undefined
  error: Error | null
  retry: () => void
} {
  const now = useNow()
  const may = useMay('device', 'Read')
  const channel = useConnection()
  const connected = channel === 'connected'
  const query = useQuery({ ...attentionQuery, refetchInterval: EVERY_MS })
  // Fetched after the page is usable; until then the gateway's answer is used.
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => onQueriesSettled(() => setDrawn(true)), [])
  const notes = useDeviceNotes(may && isDrawn)
  const lastHeard = useLastHeard(connected, now)
  const answer = query.data
  const live = may ? liveOf(overview, notes, answer, connected, now) : undefined
  const known = live ?? (answer && { ...answer, Verdict: guarded(answer, connected) })
  const isConnecting = channel === 'idle' || channel === 'connecting'
  const isNow = connected || (isConnecting && answer !== undefined && now - answer.AsOf < CONNECTING_MS)
  const asOf = isNow || !known ? undefined : Math.max(lastHeard ?? 0, answer?.AsOf ?? 0) || now
  return {
    morning: known && { ...known, asOf, isHeard: connected, without: answer?.Without ?? [], notes },
    error: known ? null : query.error,
    retry: () => void query.refetch(),
  }
}

/** "Clear" holds only while changes are received. */
const guarded = ({ Verdict }: Answer, connected: boolean): Attention['Verdict'] =>
  Verdict === 'clear' && !connected ? 'unknown' : Verdict

/** Result from this screen's own data; undefined until the devices, alarms and maintenance of every home are loaded. */
function liveOf(
  overview: readonly HomeOverview[],
  { alarms, maintenances }: DeviceNotes,
  answer: Answer | undefined,
  connected: boolean,
  now: number,
): Attention | undefined {
  const loaded = overview.filter(({ snapshot }) => snapshot)
  const isComplete = loaded.length === overview.length && alarms !== undefined && maintenances !== undefined
  // The gateway covers all homes, this screen only some.
  if (!isComplete && answer) return undefined
  if (loaded.length === 0) return undefined
  return attentionOf(
    {
      hubs: loaded.flatMap(({ snapshot }) => snapshot?.Things ?? []),
      devices: loaded.flatMap(({ snapshot }) => snapshot?.Peripherals ?? []),
      statusOf: statuses.get,
      connected: connected && isComplete && answer !== undefined,
      alarms,
      maintenances,
      homes: loaded.map(({ home }) => home.HomeID),
      given: answer?.Items,
    },
    now,
  )
}

/** Last time at which the channel was connected; undefined if never. */
function useLastHeard(connected: boolean, now: number): number | undefined {
  const [last, setLast] = useState<number>()
  if (connected && last !== now) setLast(now)
  return last
}

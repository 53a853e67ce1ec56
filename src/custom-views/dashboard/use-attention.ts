import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { attention as calls } from '../../../contract/attention/calls.ts'
import { attentionOf, type Attention } from '../../../contract/attention/attention.ts'
import { attentionQuery } from '../../data/homes.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { useMay } from '../../data/session.ts'
import { statuses } from '../../data/status-store.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { useDeviceNotes, type DeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { useConnection } from '../../live/live.ts'
import { useNow } from '../../ui/page/use-now.ts'
import type { HomeOverview } from './use-overview.ts'

/** A demand moves without an event: asked again so often, in ms. */
const EVERY_MS = 60_000
/** For so long the gateway's answer counts as of now while the screen connects for the first time to hear its changes, in ms. */
const CONNECTING_MS = 15_000

type Answer = ResultsOf<typeof calls.listAttention>

export interface AttentionState extends Attention {
  /** The moment that the answer is of, epoch ms; undefined where that is now. */
  asOf: number | undefined
  /** Whether its changes are heard: nothing is well that is not. */
  isHeard: boolean
  /** Features of which nothing is shown, for lack of a right. */
  without: Answer['Without']
  /** Alarms or maintenance that could not be loaded. */
  notes: DeviceNotes
}

/**
 * What needs somebody in all homes: first as the gateway answers it, then by the same rule from what this screen hears.
 *
 * returns  undefined while nothing is known; `error` when the gateway could not say and the devices could not be loaded
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
  // Asked for once the page can be used: until then the gateway's answer stands.
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

/** What the gateway called clear is so only while its changes are heard. */
const guarded = ({ Verdict }: Answer, connected: boolean): Attention['Verdict'] =>
  Verdict === 'clear' && !connected ? 'unknown' : Verdict

/** By what this screen knows itself; undefined until it knows the devices of every home, and what was said of them. */
function liveOf(
  overview: readonly HomeOverview[],
  { alarms, maintenances }: DeviceNotes,
  answer: Answer | undefined,
  connected: boolean,
  now: number,
): Attention | undefined {
  const loaded = overview.filter(({ snapshot }) => snapshot)
  const isComplete = loaded.length === overview.length && alarms !== undefined && maintenances !== undefined
  // The gateway knows of more than a part of the homes.
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

/** The last moment at which the channel told of changes; undefined where it never has. */
function useLastHeard(connected: boolean, now: number): number | undefined {
  const [last, setLast] = useState<number>()
  if (connected && last !== now) setLast(now)
  return last
}

import { useCallback, useEffect, useRef, useState } from 'react'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { faultOf, type ExportFault } from '../../lib/export/fault.ts'
import {
  energyPages,
  readingPages,
  type ExportChunk,
  createExportRun,
  ExportStopped,
  type ExportProgress,
  type FetchedRows,
} from '../../lib/export/run-export.ts'
import {
  type ExportPlan,
  ENERGY_FIELDS,
  INTERVAL_COUNTS,
  READING_FIELDS,
  type Rows,
} from '../../lib/export/table.ts'
import { createWorkerWriter } from '../../lib/export/worker-writer.ts'
import type { ExportFile } from '../../lib/export/writer.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { createStore, useStore, type Store } from '../../lib/store.ts'
import { queryClient, call } from '../../data/api.ts'
import { authState } from '../../data/auth-state.ts'
import { homesKey } from '../../data/homes.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { forcedSignOut } from '../../live/session.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'
import { type Detail, QUALITIES, qualityOf, READING_STATES } from './options.ts'
import { nextStart } from '../../../contract/time/periods.ts'
import { meterData, type EnergyPoint, type HistoryRow } from '../../../contract/energy/meter-data-calls.ts'
import { knownIntervals } from '../../../contract/energy/coverage.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'

/** Maximum number of readings per call. */
const READINGS_PER_BATCH = 5_000

interface Source {
  homeId: string
  /** Time zone of the home, in which periods start and end. */
  zone: string
  /** In the order of the export plan. */
  uids: readonly string[]
  detail: Detail
  signal: AbortSignal
}

/** Fetches one page of an export, from `cursor` on. Errors: CallError. */
const fetchPage =
  (source: Source) =>
  (page: ExportChunk, cursor: number | null): Promise<FetchedRows> =>
    source.detail === 'raw' ? readings(source, page, cursor) : energy(source, page, source.detail)

async function energy(
  { homeId, zone, uids, signal }: Source,
  page: ExportChunk,
  Resolution: Exclude<Detail, 'raw'>,
): Promise<FetchedRows> {
  const requestedUids = page.meters.map((meter) => uids[meter] as string)
  const input = {
    HomeID: homeId,
    From: page.from,
    To: page.to,
    Resolution,
    By: 'meter' as const,
    PeripheralUIDs: requestedUids,
  }
  const { Series } = await call(meterData.getEnergySeries, input, { signal })
  const byKey = new Map(Series.map(({ Key, Points }) => [Key, Points]))
  const now = gatewayNow()
  const hasEnded = (start: number) => nextStart(Resolution, start, zone) <= now
  const rows = page.meters.map((meter, index) => ({
    meter,
    rows: energyRows(byKey.get(requestedUids[index] as string) ?? [], hasEnded),
  }))
  const stride = ENERGY_FIELDS.length + 1
  return { rows, count: rows.reduce((sum, meterRows) => sum + meterRows.rows.length / stride, 0), next: null }
}

async function readings(
  { homeId, uids, signal }: Source,
  { meters, from, to }: ExportChunk,
  cursor: number | null,
): Promise<FetchedRows> {
  const [meter = 0] = meters
  const input = {
    HomeID: homeId,
    PeripheralUID: uids[meter] as string,
    From: from,
    To: to,
    Limit: READINGS_PER_BATCH,
    ...(cursor !== null && { Cursor: cursor }),
  }
  const { Rows: historyRows, NextCursor } = await call(meterData.getHistoryStatusData, input, { signal })
  return { rows: [{ meter, rows: readingRows(historyRows) }], count: historyRows.length, next: NextCursor }
}

/** Intervals in the writer's format; pending ones have no row, missing ones an empty row. */
function energyRows(points: readonly EnergyPoint[], hasEnded: (start: number) => boolean): Rows {
  const knownPoints = points.filter(
    ({ kWh, Coverage }) => kWh !== null || knownIntervals(Coverage) + Coverage.Missing > 0,
  )
  const rows = new Float64Array(knownPoints.length * (ENERGY_FIELDS.length + 1))
  let at = 0
  for (const { Timestamp, kWh, Cost, CarbonKg, Coverage, Resets } of knownPoints) {
    const quality = QUALITIES.indexOf(qualityOf(Coverage, hasEnded(Timestamp)))
    const counts = [...INTERVAL_COUNTS.map((field) => Coverage[field]), Resets]
    for (const value of [Timestamp, kWh, Cost, CarbonKg, ...counts, quality]) rows[at++] = value ?? Number.NaN
  }
  return rows
}

function readingRows(historyRows: readonly HistoryRow[]): Rows {
  const rows = new Float64Array(historyRows.length * (READING_FIELDS.length + 1))
  let at = 0
  for (const row of historyRows) {
    rows[at++] = row.Timestamp
    for (const field of READING_FIELDS)
      rows[at++] = field === 'State' ? READING_STATES.indexOf(row.State) : (row[field] ?? Number.NaN)
  }
  return rows
}

export type ExportState =
  | { step: 'idle' }
  /** Progress is a separate store, because it changes often and the state would render the whole form. */
  | { step: 'running'; progress: Store<ExportProgress> }
  /** A page could not be fetched; nothing is saved yet. */
  | ({ step: 'stopped'; meter: string; from: number; to: number; error: unknown } & ExportProgress)
  /** Failed without a file; it can only be restarted; `refused` if the user's rights changed. */
  | { step: 'failed'; fault: ExportFault | 'refused' }
  | { step: 'done'; file: ExportFile; rows: number }

export interface ExportOrder {
  homeId: string
  detail: Detail
  range: { from: number; to: number }
  plan: ExportPlan
}

/** Minimum interval between progress updates (ms). */
const PROGRESS_INTERVAL_MS = 200
const TRANSIENT_FAILURES = new Set(['NETWORK', 'UNAVAILABLE', 'LIMIT_EXCEEDED'])

/** Whether a retry of the call may succeed. */
const passes = (error: unknown): boolean => TRANSIENT_FAILURES.has(callErrorIn(error)?.failure ?? '')

const isHome = (homeId: string): boolean =>
  queryClient.getQueryData<HomeWithRooms[]>(homesKey)?.some(({ HomeID }) => HomeID === homeId) ?? false

interface Work {
  homeId: string
  stop: () => void
  resume: () => void
}

/**
 * Runs one export at a time in the browser; leaving the page aborts it. If the page closes without a confirmation, a notice states why the
 * export ended.
 */
export function useExport() {
  const [state, setState] = useState<ExportState>({ step: 'idle' })
  /** Only while an export may still complete. */
  const workRef = useRef<Work | undefined>(undefined)
  const order = useRef<ExportOrder | undefined>(undefined)

  const stop = useCallback(() => {
    workRef.current?.stop()
    workRef.current = undefined
  }, [])
  useEffect(
    () => () => {
      if (workRef.current && authState.get() === 'signIn') notices.error(() => t('export:ended.signedOut'))
      else if (workRef.current && !isHome(workRef.current.homeId))
        notices.error(() => t('export:ended.homeGone'))
      stop()
    },
    [stop],
  )
  // The user's right to the data has ended, even if their token still works.
  const isRefused = useStore(forcedSignOut) !== undefined
  useEffect(() => {
    if (!isRefused || !workRef.current) return
    stop()
    setState({ step: 'failed', fault: 'refused' })
  }, [isRefused, stop])

  const start = (next: ExportOrder) => {
    stop()
    order.current = next
    const { homeId, detail, range, plan } = next
    const aborted = new AbortController()
    const { signal } = aborted
    const writer = createWorkerWriter(plan)
    const uids = plan.meters.map(({ PeripheralUID }) => PeripheralUID)
    let progress: ExportProgress = { rows: 0, percent: 0 }
    let shownAt = 0
    const shownProgress = createStore(progress)
    const run = createExportRun({
      pages:
        detail === 'raw'
          ? readingPages(uids.length, range)
          : energyPages(uids.length, range, detail, plan.zone),
      fetchPage: fetchPage({ homeId, zone: plan.zone, uids, detail, signal }),
      writer,
      onProgress: (next) => {
        progress = next
        if (performance.now() - shownAt < PROGRESS_INTERVAL_MS) return
        shownAt = performance.now()
        shownProgress.set(next)
      },
      mayRetry: (error) => !signal.aborted && passes(error),
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    })
    const end = (finalState: ExportState) => {
      writer.close()
      workRef.current = undefined
      setState(finalState)
    }

    const resume = () => {
      setState({ step: 'running', progress: shownProgress })
      run.resume().then(
        (file) => {
          if (signal.aborted) return
          saveBlob(file.name, file.blob)
          end({ step: 'done', file, rows: progress.rows })
        },
        (error: unknown) => {
          if (signal.aborted) return
          if (!(error instanceof ExportStopped)) return end({ step: 'failed', fault: faultOf(error) })
          const { page, from, cause } = error
          const meter = plan.meters[page.meters[0] ?? 0]?.PeripheralName ?? ''
          setState({ step: 'stopped', meter, from, to: page.to, error: cause, ...progress })
        },
      )
    }
    workRef.current = {
      homeId,
      stop: () => {
        aborted.abort()
        writer.close()
      },
      resume,
    }
    resume()
  }

  return {
    state,
    start,
    resume: () => workRef.current?.resume(),
    /** Restarts with the same order. */
    again: () => order.current && start(order.current),
    cancel: () => {
      stop()
      setState({ step: 'idle' })
    },
    /** Whether leaving would lose an export; not if the home was deleted. */
    isKept: () => workRef.current !== undefined && isHome(workRef.current.homeId),
  }
}

import { useCallback, useEffect, useRef, useState } from 'react'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { faultOf, type ExportFault } from '../../lib/export/fault.ts'
import { energyPages, readingPages } from '../../lib/export/pages.ts'
import { createExportRun, ExportStopped, type ExportProgress } from '../../lib/export/run-export.ts'
import type { ExportPlan } from '../../lib/export/table.ts'
import { createWorkerWriter } from '../../lib/export/worker-writer.ts'
import type { ExportFile } from '../../lib/export/writer.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { createStore, useStore, type Store } from '../../lib/store.ts'
import { queryClient } from '../../data/api.ts'
import { authState } from '../../data/auth-state.ts'
import { homesKey } from '../../data/homes.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { forcedSignOut } from '../../live/session.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'
import { fetchPage } from './fetch-page.ts'
import type { Detail } from './options.ts'

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
const BETWEEN_STEPS = 200
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'LIMIT_EXCEEDED'])

/** Whether a retry of the call may succeed. */
const passes = (error: unknown): boolean => PASSING.has(callErrorIn(error)?.failure ?? '')

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
  const work = useRef<Work | undefined>(undefined)
  const order = useRef<ExportOrder | undefined>(undefined)

  const stop = useCallback(() => {
    work.current?.stop()
    work.current = undefined
  }, [])
  useEffect(
    () => () => {
      if (work.current && authState.get() === 'signIn') notices.error(() => t('export:ended.signedOut'))
      else if (work.current && !isHome(work.current.homeId)) notices.error(() => t('export:ended.homeGone'))
      stop()
    },
    [stop],
  )
  // The user's right to the data has ended, even if their token still works.
  const isRefused = useStore(forcedSignOut) !== undefined
  useEffect(() => {
    if (!isRefused || !work.current) return
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
    const shown = createStore(progress)
    const run = createExportRun({
      pages:
        detail === 'raw'
          ? readingPages(uids.length, range)
          : energyPages(uids.length, range, detail, plan.zone),
      fetchPage: fetchPage({ homeId, zone: plan.zone, uids, detail, signal }),
      writer,
      onProgress: (next) => {
        progress = next
        if (performance.now() - shownAt < BETWEEN_STEPS) return
        shownAt = performance.now()
        shown.set(next)
      },
      mayRetry: (error) => !signal.aborted && passes(error),
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    })
    const end = (as: ExportState) => {
      writer.close()
      work.current = undefined
      setState(as)
    }

    const resume = () => {
      setState({ step: 'running', progress: shown })
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
    work.current = {
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
    resume: () => work.current?.resume(),
    /** Restarts with the same order. */
    again: () => order.current && start(order.current),
    cancel: () => {
      stop()
      setState({ step: 'idle' })
    },
    /** Whether leaving would lose an export; not if the home was deleted. */
    isKept: () => work.current !== undefined && isHome(work.current.homeId),
  }
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { energyPages, readingPages } from '../../lib/export/pages.ts'
import { createExportRun, ExportStopped, type ExportProgress } from '../../lib/export/run-export.ts'
import type { ExportPlan } from '../../lib/export/table.ts'
import { createWorkerWriter } from '../../lib/export/worker-writer.ts'
import type { ExportFile } from '../../lib/export/writer.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { callErrorIn } from '../../providers/post.ts'
import { fetchPage } from './fetch-page.ts'
import type { Detail } from './options.ts'

/** How an export stands. */
export type ExportState =
  | { step: 'idle' }
  /** Its progress is told beside the state: many times a second the whole form would be drawn again. */
  | { step: 'running'; progress: Store<ExportProgress> }
  /** A part could not be fetched: nothing was saved. */
  | ({ step: 'stopped'; meter: string; from: number; to: number; error: unknown } & ExportProgress)
  | { step: 'failed'; error: unknown }
  | { step: 'done'; file: ExportFile; rows: number }

export interface ExportOrder {
  homeId: string
  detail: Detail
  range: { from: number; to: number }
  plan: ExportPlan
}

/** A person sees no more steps than one in so many ms. */
const BETWEEN_STEPS = 200
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'LIMIT_EXCEEDED'])

/** Whether a call may succeed when it is made again. */
const passes = (error: unknown): boolean => PASSING.has(callErrorIn(error)?.failure ?? '')

/** Runs one export at a time; it ends when the page is left, and nothing of it is on the server. */
export function useExport() {
  const [state, setState] = useState<ExportState>({ step: 'idle' })
  const work = useRef<{ stop: () => void; resume: () => void } | undefined>(undefined)

  const stop = useCallback(() => {
    work.current?.stop()
    work.current = undefined
  }, [])
  useEffect(() => stop, [stop])

  const running = state.step === 'running'
  useEffect(() => {
    if (!running) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [running])

  const start = ({ homeId, detail, range, plan }: ExportOrder) => {
    stop()
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
      fetchPage: fetchPage({ homeId, uids, detail, signal }),
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

    const resume = () => {
      setState({ step: 'running', progress: shown })
      run.resume().then(
        (file) => {
          if (signal.aborted) return
          writer.close()
          saveBlob(file.name, file.blob)
          setState({ step: 'done', file, rows: progress.rows })
        },
        (error: unknown) => {
          if (signal.aborted) return
          if (!(error instanceof ExportStopped)) {
            writer.close()
            return setState({ step: 'failed', error })
          }
          const { page, from, cause } = error
          const meter = plan.meters[page.meters[0] ?? 0]?.PeripheralName ?? ''
          setState({ step: 'stopped', meter, from, to: page.to, error: cause, ...progress })
        },
      )
    }
    work.current = {
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
    cancel: () => {
      stop()
      setState({ step: 'idle' })
    },
  }
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { meterImports, type MeterImport } from '../../../contract/meters/import-calls.ts'
import { call } from '../../data/api.ts'
import { FileRefused, MAX_FILE_BYTES, type FileFault } from '../../lib/spreadsheet/file-fault.ts'
import type { Preview } from './reading/messages.ts'
import { createReader, type Reader } from './reading/reader.ts'
import type { Columns, Mapping, MeterName, ReadRows } from './reading/rows.ts'
import { isCommitted, prepareImport, type PreparedImport } from './send.ts'

export type ImportState =
  | { step: 'choose'; fault?: FileFault | undefined }
  | { step: 'opening'; file: File }
  | { step: 'map'; file: File; preview: Preview; error?: unknown }
  | { step: 'sending'; file: File; preview: Preview; sent: number; of: number }
  | {
      step: 'checked'
      file: File
      preview: Preview
      rows: ReadRows
      prepared: PreparedImport
      error?: unknown
    }
  | { step: 'committing'; file: File }
  | { step: 'done'; done: MeterImport }

export interface ImportPlace {
  homeId: string
  zone: string
  meters: readonly MeterName[]
  /** Meter of the page that linked here. */
  meter: string | undefined
}

/** Steps of one import; leaving the page aborts it, and uncommitted rows do not count. */
export function useImport({ homeId, zone, meters, meter }: ImportPlace) {
  const [state, setState] = useState<ImportState>({ step: 'choose' })
  const reader = useRef<Reader | undefined>(undefined)
  const aborted = useRef(new AbortController())

  const stop = useCallback(() => {
    aborted.current.abort()
    aborted.current = new AbortController()
    reader.current?.close()
    reader.current = undefined
  }, [])
  useEffect(() => stop, [stop])

  const refuse = (error: unknown) => {
    stop()
    setState({ step: 'choose', fault: error instanceof FileRefused ? error.fault : 'notRead' })
  }

  const open = async (file: File, how: { delimiter?: string; sheet?: number } = {}) => {
    stop()
    if (file.size > MAX_FILE_BYTES) return refuse(new FileRefused('tooLarge'))
    const { signal } = aborted.current
    setState({ step: 'opening', file })
    const own = createReader()
    reader.current = own
    try {
      const preview = await own.open({ open: file, meters, meter, zone, ...how })
      if (!signal.aborted) setState({ step: 'map', file, preview })
    } catch (error) {
      if (!signal.aborted) refuse(error)
    }
  }

  const check = async (file: File, preview: Preview, mapping: Mapping) => {
    const own = reader.current
    if (!own) return
    const { signal } = aborted.current
    setState({ step: 'sending', file, preview, sent: 0, of: 0 })
    try {
      const rows = await own.read({ read: mapping, meters, now: Date.now() })
      const of = rows.values.length
      const about = { HomeID: homeId, FileName: file.name.slice(0, 255), Kind: mapping.kind }
      const prepared = await prepareImport(about, rows, signal, (sent) =>
        setState({ step: 'sending', file, preview, sent, of }),
      )
      if (!signal.aborted) setState({ step: 'checked', file, preview, rows, prepared })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof FileRefused) refuse(error)
      else setState({ step: 'map', file, preview, error })
    }
  }

  const commit = async (checked: Extract<ImportState, { step: 'checked' }>, Sure: boolean) => {
    setState({ step: 'committing', file: checked.file })
    try {
      const done = await call(meterImports.commitMeterImport, { ...checked.prepared.key, Sure })
      stop()
      setState({ step: 'done', done })
    } catch (error) {
      // The call may have succeeded although its answer was lost or this was a repetition.
      const done = await isCommitted(checked.prepared.key).catch(() => undefined)
      if (!done) return setState({ ...checked, error })
      stop()
      setState({ step: 'done', done })
    }
  }

  return {
    state,
    open,
    check,
    /** Sums of the file, read both ways. */
    sumBoth: async (columns: Columns) => {
      if (!reader.current) throw new FileRefused('notRead')
      return reader.current.sum({ sum: columns, meters, now: Date.now() })
    },
    commit,
    /** Returns to the mapping with the same file. */
    back: (file: File, preview: Preview) => setState({ step: 'map', file, preview }),
    restart: () => {
      stop()
      setState({ step: 'choose' })
    },
  }
}

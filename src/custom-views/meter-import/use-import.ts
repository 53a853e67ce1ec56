import { useCallback, useEffect, useRef, useState } from 'react'
import {
  meterImports,
  type MeterImport,
  MAX_IMPORT_BATCH,
  type MeterImportCheck,
} from '../../../contract/meters/import-calls.ts'
import { call } from '../../data/api.ts'
import { FileRefused, MAX_FILE_BYTES, type FileFault } from '../../lib/spreadsheet/file-fault.ts'
import type { Preview } from './reading/messages.ts'
import { createReader, type Reader } from './reading/reader.ts'
import type { Columns, Mapping, MeterName, ReadRows } from './reading/rows.ts'
import { describeFailure } from '../../data/failure.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { callErrorIn } from '../../data/post.ts'

/** An import that the gateway has checked but not committed. */
export interface PreparedImport {
  key: Pick<MeterImport, 'HomeID' | 'MeterImportID'>
  check: MeterImportCheck
}

const MAX_ATTEMPTS = 4
const TRANSIENT_FAILURES = new Set(['NETWORK', 'UNAVAILABLE', 'LIMIT_EXCEEDED'])

/** Retries an idempotent call until it succeeds, fails permanently or is aborted. */
async function retryPatiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (
        signal.aborted ||
        attempt >= MAX_ATTEMPTS ||
        !TRANSIENT_FAILURES.has(callErrorIn(error)?.failure ?? '')
      )
        throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt))
    }
}

/**
 * Sends the rows to the gateway in batches and requests a check. Nothing counts until the commit.
 *
 * onProgress  receives the number of rows sent
 * errors  CallError
 */
async function prepareImport(
  about: Pick<MeterImport, 'HomeID' | 'FileName' | 'Kind'>,
  rows: ReadRows,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<PreparedImport> {
  const { HomeID, MeterImportID } = await call(meterImports.createMeterImport, about, { signal })
  const key = { HomeID, MeterImportID }
  const count = rows.values.length
  for (let from = 0; from < count; from += MAX_IMPORT_BATCH) {
    const to = Math.min(count, from + MAX_IMPORT_BATCH)
    const portion = portionOf(rows, from, to)
    await retryPatiently(
      () => call(meterImports.addMeterImportRows, { ...key, ...portion }, { signal }),
      signal,
    )
    onProgress(to)
  }
  const check = await retryPatiently(() => call(meterImports.checkMeterImport, key, { signal }), signal)
  return { key, check }
}

/** The committed import; undefined if it is not committed. */
async function isCommitted({
  HomeID,
  MeterImportID,
}: PreparedImport['key']): Promise<MeterImport | undefined> {
  const imports = await call(meterImports.listMeterImport, { HomeID })
  return imports.find((candidate) => candidate.MeterImportID === MeterImportID && candidate.State === 'done')
}

/** Text for the failure of an import: the gateway keeps an uncommitted one only for a limited time. */
export const describeTrial = (error: unknown): string => {
  const failed = callErrorIn(error)
  const isGone = failed?.failure === 'NOT_FOUND' && Object.keys(failed.fields).length === 0
  return isGone ? t('meterImport:expired') : describeFailure(error)
}

/** Batch of rows as call input, with the meters it uses. */
function portionOf(rows: ReadRows, from: number, to: number) {
  const places = new Map<number, number>()
  const Meter = rows.meters.slice(from, to).map((meter) => {
    const place = places.get(meter) ?? places.size
    places.set(meter, place)
    return place
  })
  return {
    Meters: [...places.keys()].map((meter) => rows.uids[meter] as string),
    Rows: {
      Row: Array.from({ length: to - from }, (_, index) => from + index),
      Meter,
      Timestamp: rows.timestamps.slice(from, to),
      Quarters: rows.quarters.slice(from, to),
      Value: rows.values.slice(from, to),
    },
  }
}

export type ImportState =
  | { step: 'choose'; fault?: FileFault | undefined }
  | { step: 'opening'; file: File }
  | { step: 'map'; file: File; preview: Preview; error?: unknown }
  | { step: 'sending'; file: File; preview: Preview; sentCount: number; of: number }
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
    const ownReader = createReader()
    reader.current = ownReader
    try {
      const preview = await ownReader.open({ open: file, meters, meter, zone, ...how })
      if (!signal.aborted) setState({ step: 'map', file, preview })
    } catch (error) {
      if (!signal.aborted) refuse(error)
    }
  }

  const check = async (file: File, preview: Preview, mapping: Mapping) => {
    const ownReader = reader.current
    if (!ownReader) return
    const { signal } = aborted.current
    setState({ step: 'sending', file, preview, sentCount: 0, of: 0 })
    try {
      const rows = await ownReader.read({ read: mapping, meters, now: Date.now() })
      const of = rows.values.length
      const about = { HomeID: homeId, FileName: file.name.slice(0, 255), Kind: mapping.kind }
      const prepared = await prepareImport(about, rows, signal, (sentCount) =>
        setState({ step: 'sending', file, preview, sentCount, of }),
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
      const committed = await call(meterImports.commitMeterImport, { ...checked.prepared.key, Sure })
      stop()
      setState({ step: 'done', done: committed })
    } catch (error) {
      // The call may have succeeded although its answer was lost or this was a repetition.
      const committed = await isCommitted(checked.prepared.key).catch(() => undefined)
      if (!committed) return setState({ ...checked, error })
      stop()
      setState({ step: 'done', done: committed })
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

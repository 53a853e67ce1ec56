import {
  MAX_IMPORT_BATCH,
  meterImports,
  type MeterImport,
  type MeterImportCheck,
} from '../../../contract/meters/import-calls.ts'
import { call } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { callErrorIn } from '../../data/post.ts'
import type { ReadRows } from './reading/rows.ts'

/** An import that the gateway has checked but not committed. */
export interface PreparedImport {
  key: Pick<MeterImport, 'HomeID' | 'MeterImportID'>
  check: MeterImportCheck
}

const TRIES = 4
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'LIMIT_EXCEEDED'])

/** Retries an idempotent call until it succeeds, fails permanently or is aborted. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || tried >= TRIES || !PASSING.has(callErrorIn(error)?.failure ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tried))
    }
}

/**
 * Sends the rows to the gateway in batches and requests a check. Nothing counts until the commit.
 *
 * onSent  receives the number of rows sent
 * errors  CallError
 */
export async function prepareImport(
  about: Pick<MeterImport, 'HomeID' | 'FileName' | 'Kind'>,
  rows: ReadRows,
  signal: AbortSignal,
  onSent: (rows: number) => void,
): Promise<PreparedImport> {
  const { HomeID, MeterImportID } = await call(meterImports.createMeterImport, about, { signal })
  const key = { HomeID, MeterImportID }
  const count = rows.values.length
  for (let from = 0; from < count; from += MAX_IMPORT_BATCH) {
    const to = Math.min(count, from + MAX_IMPORT_BATCH)
    const portion = portionOf(rows, from, to)
    await patiently(() => call(meterImports.addMeterImportRows, { ...key, ...portion }, { signal }), signal)
    onSent(to)
  }
  const check = await patiently(() => call(meterImports.checkMeterImport, key, { signal }), signal)
  return { key, check }
}

/** The committed import; undefined if it is not committed. */
export async function isCommitted({
  HomeID,
  MeterImportID,
}: PreparedImport['key']): Promise<MeterImport | undefined> {
  const imports = await call(meterImports.listMeterImport, { HomeID })
  return imports.find((one) => one.MeterImportID === MeterImportID && one.State === 'done')
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

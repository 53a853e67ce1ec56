import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import {
  meterImports,
  type MeterImport,
  MAX_IMPORT_BATCH,
  type MeterImportCheck,
} from '../../../contract/meters/import-calls.ts'
import { call } from '../../data/api.ts'
import { type ImportProfile, importProfiles } from '../../../contract/meters/import-profiles.ts'
import { MAX_READING_FACTS, type ReadingAnswers } from '../../../contract/meters/import-reading.ts'
import { FileRefused, MAX_FILE_BYTES, type FileFault } from '../../lib/spreadsheet/file-fault.ts'
import type { MeterName, Question, ReadingContext } from './reading/facts.ts'
import type {
  FileView,
  ReaderCall,
  ReaderCalls,
  ReadingRefusal,
  ReadingView,
  RowPlace,
  RowsView,
} from './reading/messages.ts'
import { createReader, type Reader } from './reading/reader.ts'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { randomId } from '../../lib/random-id.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { callErrorIn } from '../../data/post.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'

/** An import that the gateway has checked but not committed. */
export interface PreparedImport {
  key: Pick<MeterImport, 'HomeID' | 'MeterImportID'>
  check: MeterImportCheck
  /** Places in the file of the rows that the check names. */
  places: ReadonlyMap<number, RowPlace>
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

/** Draft at the gateway, to which the rows of an open file are added. */
interface Draft {
  open: OpenFile
  rows: RowsView
  key: PreparedImport['key']
  sentCount: number
}

/** Converts an open file to rows and creates the draft that receives them. */
async function createDraft(
  homeId: string,
  open: OpenFile,
  reader: Reader,
  signal: AbortSignal,
): Promise<Draft> {
  const rows = await convertRows(reader, open)
  const requestId = randomId()
  const { HomeID, MeterImportID } = await retryPatiently(
    () => call(meterImports.createMeterImport, aboutOf(homeId, open), { signal, requestId }),
    signal,
  )
  return { open, rows, key: { HomeID, MeterImportID }, sentCount: 0 }
}

/**
 * Sends the rows of a draft that the gateway does not have yet, in batches, and requests a check. Nothing counts until the commit.
 *
 * onProgress  called whenever `sentCount` of the draft has changed
 * errors  CallError; FileRefused if the reader ended
 */
async function prepareImport(
  draft: Draft,
  reader: Reader,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<PreparedImport> {
  const { key } = draft
  const { count } = draft.rows
  while (draft.sentCount < count) {
    const [from, to] = [draft.sentCount, Math.min(count, draft.sentCount + MAX_IMPORT_BATCH)]
    const batch = await reader.call('batch', { from, to })
    await retryPatiently(
      () => call(meterImports.addMeterImportRows, { ...key, ...batch }, { signal }),
      signal,
    )
    draft.sentCount = to
    onProgress()
  }
  const check = await retryPatiently(() => call(meterImports.checkMeterImport, key, { signal }), signal)
  const named = [...check.Conflicts, ...check.Faults, ...check.OverLimit].map(({ Row }) => Row)
  const places = await reader.call('places', { rows: named })
  return { key, check, places: new Map(named.map((row, at) => [row, places[at] as RowPlace])) }
}

/** The committed import; undefined if it is not committed. */
async function isCommitted({
  HomeID,
  MeterImportID,
}: PreparedImport['key']): Promise<MeterImport | undefined> {
  const imports = await call(meterImports.listMeterImport, { HomeID })
  return imports.find((candidate) => candidate.MeterImportID === MeterImportID && candidate.State === 'done')
}

/** Commits an import. Errors: CallError. The call may have succeeded although its answer was lost or this was a repetition. */
async function commitImport(
  key: PreparedImport['key'],
  Sure: boolean,
  signal: AbortSignal,
): Promise<MeterImport> {
  const requestId = randomId()
  try {
    return await retryPatiently(
      () => call(meterImports.commitMeterImport, { ...key, Sure }, { requestId }),
      signal,
    )
  } catch (error) {
    const committed = await isCommitted(key).catch(() => undefined)
    if (!committed) throw error
    return committed
  }
}

/** Text for the failure of an import: the gateway keeps an uncommitted one only for a limited time. */
export const describeTrial = (error: unknown): string =>
  isExpired(error) ? t('meterImport:expired') : describeFailure(error)

const isExpired = (error: unknown): boolean => {
  const failed = callErrorIn(error)
  return failed?.failure === 'NOT_FOUND' && Object.keys(failed.fields).length === 0
}

/** A file with its meaning, and what the user has entered. */
export interface OpenFile {
  file: File
  view: FileView
  reading: ReadingView
  answers: ReadingAnswers
  /** Questions so far, answered ones included, so that an answer can be changed. */
  questions: readonly Question[]
  /** Profile of an earlier file of the same layout. */
  profile: ImportProfile | undefined
  /** Meter of each series; null: not chosen; 'none': not imported. */
  uids: readonly (string | null)[]
  /** Earlier import of the same file. */
  sameAs: MeterImport | undefined
  /** Reason why the two above are unknown. */
  earlierError?: unknown
}

/** Value of a series that is not imported. */
export const NOT_IMPORTED = 'none'

export type ImportState =
  | { step: 'choose'; fault?: FileFault | undefined }
  | { step: 'opening'; file: File }
  /** `before`: the file as it was read without the answer that makes it unreadable. */
  | { step: 'unreadable'; file: File; view: FileView; refusal: ReadingRefusal; before?: OpenFile }
  | { step: 'review'; open: OpenFile; isReading?: boolean; error?: unknown }
  | { step: 'sending'; open: OpenFile; sentCount: number; of: number }
  | {
      step: 'checked'
      open: OpenFile
      rows: RowsView
      prepared: PreparedImport
      isCommitting?: boolean
      error?: unknown
    }
  | { step: 'done'; done: MeterImport }

export interface ImportPlace {
  homeId: string
  zone: string
  meters: readonly MeterName[]
  /** Meter of the page that linked here. */
  meter: string | undefined
}

/** Reader of the open file. `abort` aborts its calls, and `stop` ends it as well; leaving the page does too. */
function useReader() {
  const reader = useRef<Reader | undefined>(undefined)
  const aborted = useRef(new AbortController())
  const abort = useCallback(() => {
    aborted.current.abort()
    aborted.current = new AbortController()
  }, [])
  const stop = useCallback(() => {
    abort()
    reader.current?.close()
    reader.current = undefined
  }, [abort])
  useEffect(() => stop, [stop])
  const start = useCallback(() => (reader.current = createReader()), [])
  const callReader = useCallback(
    async <Name extends ReaderCall>(name: Name, request: ReaderCalls[Name]['request']) => {
      if (!reader.current) throw new FileRefused('notRead')
      return reader.current.call(name, request)
    },
    [],
  )
  return { reader, aborted, start, abort, stop, callReader }
}

/** Sends the rows of an open file and requests a check; after a failure, the rows that the gateway already has are not sent again. */
function useCheck(
  homeId: string,
  { reader, aborted }: Pick<ReturnType<typeof useReader>, 'reader' | 'aborted'>,
  setState: (state: ImportState) => void,
  refuse: (error: unknown) => void,
) {
  const draft = useRef<Draft>(undefined)
  const check = async (opened: OpenFile): Promise<void> => {
    const { current: ownReader } = reader
    if (!ownReader) return
    const { signal } = aborted.current
    const current = draft.current?.open === opened ? draft.current : undefined
    const showProgress = (sent?: Draft) => {
      if (!signal.aborted)
        setState({
          step: 'sending',
          open: opened,
          sentCount: sent?.sentCount ?? 0,
          of: sent?.rows.count ?? 0,
        })
    }
    showProgress(current)
    try {
      const own = current ?? (await createDraft(homeId, opened, ownReader, signal))
      draft.current = own
      const prepared = await prepareImport(own, ownReader, signal, () => showProgress(own))
      if (!signal.aborted)
        startTransition(() => setState({ step: 'checked', open: opened, rows: own.rows, prepared }))
    } catch (error) {
      if (signal.aborted) return
      if (isExpired(error) || callErrorIn(error)?.failure === 'CONFLICT') draft.current = undefined
      // The gateway no longer has the rows that were sent earlier.
      if (current && isExpired(error)) return check(opened)
      if (error instanceof FileRefused) refuse(error)
      else setState({ step: 'review', open: opened, error })
    }
  }
  return check
}

/** Steps of one import; leaving the page aborts it, and uncommitted rows do not count. */
export function useImport({ homeId, zone, meters, meter }: ImportPlace) {
  const [state, setState] = useState<ImportState>({ step: 'choose' })
  const { reader, aborted, start, abort, stop, callReader } = useReader()
  const latestAnswers = useRef<ReadingAnswers>(undefined)

  const refuse = (error: unknown) => {
    stop()
    setState({ step: 'choose', fault: error instanceof FileRefused ? error.fault : 'notRead' })
  }

  const check = useCheck(homeId, { reader, aborted }, setState, refuse)

  const open = async (file: File, how: { delimiter?: string; sheet?: number } = {}) => {
    stop()
    if (file.size > MAX_FILE_BYTES) return refuse(new FileRefused('tooLarge'))
    const { signal } = aborted.current
    setState({ step: 'opening', file })
    const ownReader = start()
    try {
      const view = await openInReader(ownReader, { meters, meter, zone, fileName: file.name }, file, how)
      if ('fault' in view.reading) {
        if (!signal.aborted) setState({ step: 'unreadable', file, view, refusal: view.reading })
        return
      }
      const opened = await applyProfile(ownReader, homeId, { file, view, reading: view.reading })
      if (signal.aborted) return
      // Selects of many meters take longer than a frame to render.
      startTransition(() => setState({ step: 'review', open: opened }))
      // A known file needs one confirmation: that of the check's result.
      if (opened.profile && missingOf(opened) === undefined && !opened.sameAs) await check(opened)
    } catch (error) {
      if (!signal.aborted) refuse(error)
    }
  }

  /** Reads the file again with an answer of the user. */
  const answer = async (opened: OpenFile, answers: ReadingAnswers) => {
    const ownReader = reader.current
    if (!ownReader) return
    const { signal } = aborted.current
    latestAnswers.current = answers
    setState({ step: 'review', open: { ...opened, answers }, isReading: true })
    try {
      const reading = await ownReader.call('read', { answers, profile: opened.profile?.Answers })
      // A later answer reads the file again, and includes this one.
      if (signal.aborted || latestAnswers.current !== answers) return
      const { file, view } = opened
      startTransition(() =>
        setState((now) => {
          if (now.step !== 'review') return now
          return 'fault' in reading
            ? { step: 'unreadable', file, view, refusal: reading, before: opened }
            : { step: 'review', open: withReading(now.open, reading) }
        }),
      )
    } catch (error) {
      if (!signal.aborted) refuse(error)
    }
  }

  const commit = async (checked: Extract<ImportState, { step: 'checked' }>, Sure: boolean) => {
    const { signal } = aborted.current
    setState({ ...checked, isCommitting: true, error: undefined })
    const finish = (done: MeterImport) => {
      stop()
      setState({ step: 'done', done })
      void saveProfile(homeId, checked.open)
    }
    try {
      finish(await commitImport(checked.prepared.key, Sure, signal))
    } catch (error) {
      setState({ ...checked, isCommitting: false, error })
    }
  }

  return {
    state,
    open,
    answer,
    check,
    commit,
    chooseMeter: (series: number, uid: string) =>
      setState((now) =>
        now.step === 'review'
          ? { ...now, open: { ...now.open, uids: now.open.uids.with(series, uid) } }
          : now,
      ),
    callReader,
    /** Returns to the review with the same file; rows are no longer sent. */
    back: (opened: OpenFile) => {
      abort()
      setState({ step: 'review', open: opened })
    },
    restart: () => {
      stop()
      setState({ step: 'choose' })
    },
  }
}
export type Import = ReturnType<typeof useImport>

const openInReader = (
  reader: Reader,
  context: Pick<ReadingContext, 'meters' | 'meter' | 'zone' | 'fileName'>,
  file: File,
  how: { delimiter?: string; sheet?: number },
): Promise<FileView> => reader.call('open', { file, context: { ...context, now: gatewayNow() }, ...how })

/** Converts the series that are imported. */
const convertRows = (reader: Reader, { uids }: OpenFile): Promise<RowsView> =>
  reader.call('convert', { uids: uids.map((uid) => (uid === NOT_IMPORTED ? null : uid)), now: gatewayNow() })

/** Description of an import for the journal, with how its file was read. */
const aboutOf = (HomeID: string, { file, reading, view }: OpenFile) => ({
  HomeID,
  FileName: file.name.slice(0, 255),
  Kind: reading.kind,
  FileHash: view.hash,
  Trace: reading.facts.slice(0, MAX_READING_FACTS),
})

/** Applies the profile of the file's layout, and finds an earlier import of the same file. Without either, the file can be imported anyway. */
async function applyProfile(
  reader: Reader,
  homeId: string,
  file: Pick<OpenFile, 'file' | 'view' | 'reading'>,
): Promise<OpenFile> {
  const plain = openedFile(file)
  let known: [ImportProfile[], MeterImport[]]
  try {
    known = await Promise.all([
      call(importProfiles.listImportProfile, { HomeID: homeId }),
      call(meterImports.listMeterImport, { HomeID: homeId }),
    ])
  } catch (error) {
    return { ...plain, earlierError: error }
  }
  const [profiles, imports] = known
  const sameAs = imports.find(({ FileHash, State }) => FileHash === file.view.hash && State === 'done')
  const profile = profiles.find(({ Signature }) => Signature === file.reading.signature)
  if (!profile) return { ...plain, sameAs }
  const reading = await reader.call('read', { answers: {}, profile: profile.Answers })
  if ('fault' in reading) throw new FileRefused('notRead')
  const meters = new Map(profile.Meters.map(({ Name, MeterID }) => [Name, MeterID]))
  // Columns are the same as before, so one without a meter was left out; a row may name a meter that is new.
  const isLeftOut = profile.HomeID === homeId && !Object.values(reading.roles).includes('meter')
  const uids = reading.series.map(({ name, uid }) => meters.get(name) ?? (isLeftOut ? NOT_IMPORTED : uid))
  return { ...openedFile({ ...file, reading }), sameAs, profile, uids }
}

const openedFile = (file: Pick<OpenFile, 'file' | 'view' | 'reading'>): OpenFile => ({
  ...file,
  answers: {},
  questions: file.reading.questions,
  profile: undefined,
  uids: file.reading.series.map(({ uid }) => uid),
  sameAs: undefined,
})

/** Saves what the user has confirmed for later files of the same layout. */
async function saveProfile(
  homeId: string,
  { file, reading, answers, profile, uids }: OpenFile,
): Promise<void> {
  const Meters = reading.series.flatMap(({ name }, series) => {
    const uid = uids[series]
    return uid ? [{ Name: name.slice(0, 200), MeterID: uid }] : []
  })
  await call(importProfiles.saveImportProfile, {
    HomeID: homeId,
    Signature: reading.signature,
    Name: file.name.slice(0, 255),
    Answers: { ...profile?.Answers, ...answers },
    Meters: Meters.filter(({ MeterID }) => MeterID !== NOT_IMPORTED),
  }).catch((error: unknown) =>
    notices.error(() => t('meterImport:profileNotSaved', { reason: describeFailure(error) })),
  )
}

/** The file with another meaning, and what the user has entered. */
const withReading = (opened: OpenFile, reading: ReadingView): OpenFile => ({
  ...opened,
  reading,
  uids: keepMeters(opened, reading),
  questions: allQuestions(opened, reading),
})

/** Questions in the order in which they were first asked, with their latest options. */
function allQuestions({ questions }: OpenFile, reading: ReadingView): Question[] {
  const added = reading.questions.filter(({ fact }) => questions.every((each) => each.fact !== fact))
  return [
    ...questions.map((each) => reading.questions.find(({ fact }) => fact === each.fact) ?? each),
    ...added,
  ]
}

/** Meters that were chosen for series which still exist. */
const keepMeters = (opened: OpenFile, reading: ReadingView): (string | null)[] =>
  reading.series.map(({ name, uid }, series) => {
    const before = opened.reading.series.findIndex((each) => each.name === name)
    return (before >= 0 ? opened.uids[before] : opened.uids[series]) ?? uid
  })

/** Step that is missing before a check, as a key of `meterImport:missing`. */
export function missingOf({ reading, uids }: OpenFile): 'answers' | 'meters' | 'nothing' | undefined {
  if (reading.questions.length > 0) return 'answers'
  if (uids.some((uid) => uid === null)) return 'meters'
  return uids.every((uid) => uid === NOT_IMPORTED) ? 'nothing' : undefined
}

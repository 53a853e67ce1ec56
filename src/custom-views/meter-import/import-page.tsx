import { Alert, Button, Card, Progress, Tag } from 'antd'
import { Modal } from '../../ui/page/dialog.tsx'
import { Link, useParams, useSearchParams } from 'react-router'
import { type FC, type RefObject, useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import { type MeterImport, meterImports } from '../../../contract/meters/import-calls.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useLanguage, useT, t as tNow } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { useUnsavedGuard } from '../../ui/page/leave-guards.ts'
import { ListSkeleton, LoadFailed, ForbiddenState, EmptyState } from '../../ui/page/states.tsx'
import { AddDevicesLink } from '../../ui/page/page-links.tsx'
import { CheckResult } from './check-result.tsx'
import { ProfileList } from './profile-list.tsx'
import { FactList, FILE_TYPES, ReadingReview, SheetSelect } from './reading-review.tsx'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'
import { type Import, type ImportPlace, type ImportState, useImport } from './use-import.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { FileButton } from '../../ui/inputs/file-button.tsx'
import { MAX_FILE_BYTES, MAX_COLUMNS, type FileFault } from '../../lib/spreadsheet/file-fault.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { call, callQuery } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { confirm } from '../../ui/page/dialogs.ts'

/** Imports of a home, newest first, each with an undo button. */
const Journal: FC<{ homeId: string; zone: string }> = ({ homeId, zone }) => {
  const t = useT()
  const query = useQuery(callQuery(meterImports.listMeterImport, { HomeID: homeId }))
  if (query.error && !query.data) return <LoadFailed error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <ListSkeleton rows={3} />
  if (query.data.length === 0) return <EmptyState message={t('meterImport:journalEmpty')} />
  return (
    <ul className={`${page.rows} ${page.spreadRows}`}>
      {query.data.map((imported) => (
        <JournalLine key={imported.MeterImportID} line={imported} zone={zone} />
      ))}
    </ul>
  )
}

const JournalLine: FC<{ line: MeterImport; zone: string }> = ({ line, zone }) => {
  const t = useT()
  const language = useLanguage()
  const number = new Intl.NumberFormat(language)
  const undone = line.State === 'undone'
  return (
    <li>
      <div>
        <strong>{line.FileName}</strong> <Tag>{t(`meterImport:kinds.${line.Kind}`)}</Tag>
        {undone && <Tag>{t('meterImport:undone', { by: line.UndoneBy ?? '' })}</Tag>}
        <div className={page.note}>
          {t('meterImport:journalLine', {
            added: number.format(line.Added),
            rows: number.format(line.Rows),
            meters: line.Meters,
            by: line.By,
            at: formatWhen(line.CommittedAt ?? line.CreatedAt, language, zone),
          })}
        </div>
      </div>
      <div className={page.wideRow}>
        <TraceButton meterImport={line} />
        {!undone && <UndoButton meterImport={line} />}
      </div>
    </li>
  )
}

/** Shows how the file of an import was read, for who asks why a figure is what it is. */
const TraceButton: FC<{ meterImport: MeterImport }> = ({ meterImport }) => {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  // Imports before this was recorded have no hash and no trace.
  if (meterImport.FileHash === null) return null
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('meterImport:howRead')}</Button>
      <Modal
        open={isOpen}
        title={t('meterImport:howReadTitle', { name: isolated(meterImport.FileName) })}
        footer={null}
        onCancel={() => setIsOpen(false)}
        destroyOnHidden
      >
        <Trace meterImport={meterImport} />
      </Modal>
    </>
  )
}

function Trace({ meterImport: { HomeID, MeterImportID, FileHash } }: { meterImport: MeterImport }) {
  const t = useT()
  const query = useQuery(callQuery(meterImports.getMeterImport, { HomeID, MeterImportID }))
  if (query.error && !query.data) return <LoadFailed error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <ListSkeleton rows={5} />
  return (
    <div className={page.stack}>
      <FactList facts={query.data.Trace} />
      <p className={`${page.note} ${page.words}`}>{t('meterImport:hash', { hash: FileHash ?? '' })}</p>
    </div>
  )
}

const UndoButton: FC<{ meterImport: MeterImport; undone?: () => void }> = ({ meterImport, undone }) => {
  const t = useT()
  const may = useMay('electricity', 'Update')
  const number = new Intl.NumberFormat(useLanguage())
  if (!may) return null
  const { HomeID, MeterImportID, FileName, Added } = meterImport
  const undo = async () => {
    try {
      await call(meterImports.undoMeterImport, { HomeID, MeterImportID })
      notices.success(() => tNow('meterImport:undoDone', { name: FileName }))
      undone?.()
    } catch (error) {
      notices.error(() => describeFailure(error))
    }
  }
  return (
    <Button
      onClick={() =>
        confirm({
          title: t('meterImport:undoTitle', { name: FileName }),
          content: t('meterImport:undoText', { count: number.format(Added) }),
          okText: t('meterImport:undo'),
          okButtonProps: { danger: true },
          cancelText: t('screens:cancel'),
          onOk: undo,
        })
      }
    >
      {t('meterImport:undo')}
    </Button>
  )
}

const MEGABYTE = 2 ** 20

/** Accepts a file by drop or selection. */
const FileDrop: FC<{ fault: FileFault | undefined; choose: (file: File) => void }> = (props) => {
  const t = useT()
  const [isDragOver, setIsDragOver] = useState(false)
  return (
    <>
      <div
        className={`${page.dashed} ${styles.drop} ${isDragOver ? styles.over : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragOver(true)
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsDragOver(false)
          const [file] = event.dataTransfer.files
          if (file) props.choose(file)
        }}
      >
        <p>{t('meterImport:drop')}</p>
        <FileButton label={t('meterImport:file')} accept={FILE_TYPES} choose={props.choose}>
          {t('meterImport:choose')}
        </FileButton>
        <p className={page.note}>{t('meterImport:limits', { megabytes: MAX_FILE_BYTES / MEGABYTE })}</p>
      </div>
      {props.fault && (
        <Alert
          type="error"
          showIcon
          message={t(`meterImport:faults.${props.fault}`, {
            megabytes: MAX_FILE_BYTES / MEGABYTE,
            columns: MAX_COLUMNS,
          })}
        />
      )}
    </>
  )
}

/** Imports past energy from files: preview, column mapping, check, import, and undo. */
export default function ImportPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const zone = useHomes()?.find((home) => home.HomeID === HomeID)?.TimeZone
  return (
    <Page title={t('shell:pages.MeterImport')} intro={t('meterImport:intro')} key={HomeID}>
      <Card>{zone === undefined ? <ListSkeleton rows={6} /> : <Content homeId={HomeID} zone={zone} />}</Card>
      <Card title={t('meterImport:journal')}>
        {zone === undefined ? <ListSkeleton rows={3} /> : <Journal homeId={HomeID} zone={zone} />}
      </Card>
      {zone !== undefined && <ProfileList homeId={HomeID} zone={zone} />}
    </Page>
  )
}

function Content({ homeId, zone }: { homeId: string; zone: string }) {
  const t = useT()
  const devices = useDevices(homeId)
  const requestedMeter = useSearchParams()[0].get('meter')
  const mayRead = useMay('device', 'Read')
  const mayImport = useMay('electricity', 'Update')
  if (!mayImport) return <ForbiddenState right={{ feature: 'electricity', operation: 'Update' }} />
  if (!mayRead) return <ForbiddenState right={{ feature: 'device', operation: 'Read' }} />
  if (devices.error && !devices.data)
    return <LoadFailed error={devices.error} retry={() => void devices.refetch()} />
  if (!devices.data) return <ListSkeleton rows={6} />
  const meters = devices.data.Peripherals.filter(({ PeripheralType }) =>
    capabilityOf(PeripheralType, 'meter'),
  )
  if (meters.length === 0)
    return (
      <EmptyState
        drawing="meter"
        message={t('meterImport:noMeters')}
        next={<AddDevicesLink homeId={homeId} />}
      />
    )
  return (
    <Flow
      homeId={homeId}
      zone={zone}
      meters={meters.map(({ PeripheralUID, PeripheralName }) => ({
        uid: PeripheralUID,
        name: PeripheralName,
      }))}
      meter={meters.find(({ PeripheralUID }) => PeripheralUID === requestedMeter)?.PeripheralUID}
    />
  )
}

/** Content of a step. It receives the focus when the step begins, unless another control has it. */
function useStepFocus(step: ImportState['step']): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (document.activeElement === document.body) content.current?.focus()
  }, [step])
  return content
}

function Flow(place: ImportPlace) {
  const flow = useImport(place)
  const { state } = flow
  const isCommitting = state.step === 'checked' && state.isCommitting === true
  useUnsavedGuard(
    state.step === 'review' || state.step === 'sending' || (state.step === 'checked' && !isCommitting),
  )
  return (
    <div ref={useStepFocus(state.step)} tabIndex={-1} className={styles.flow ?? ''}>
      <FlowContent place={place} flow={flow} />
    </div>
  )
}

function FlowContent({ place, flow }: { place: ImportPlace; flow: Import }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const { state, open, restart } = flow
  switch (state.step) {
    case 'choose':
      return (
        <div className={page.stack}>
          <FileDrop fault={state.fault} choose={(file) => void open(file)} />
        </div>
      )
    case 'done':
      return (
        <Alert
          type="success"
          showIcon
          message={t('meterImport:done', {
            name: state.done.FileName,
            count: number.format(state.done.Added),
          })}
          description={
            <div className={`${page.wideRow} ${styles.actions}`}>
              <ToEnergy homeId={place.homeId} zone={place.zone} done={state.done} />
              <UndoButton meterImport={state.done} undone={restart} />
              <Button onClick={restart}>{t('meterImport:another')}</Button>
            </div>
          }
        />
      )
    case 'opening':
      return (
        <div className={page.stack}>
          <p className={page.words}>{state.file.name}</p>
          <div aria-busy="true" role="status">
            {t('meterImport:steps.opening')}
            <ListSkeleton rows={4} />
          </div>
          <div className={`${page.wideRow} ${styles.actions}`}>
            <Button onClick={restart}>{t('screens:cancel')}</Button>
          </div>
        </div>
      )
    case 'unreadable':
      return <Unreadable state={state} flow={flow} />
    default:
      return (
        <div className={page.stack}>
          <p className={page.words}>{state.open.file.name}</p>
          <Steps place={place} state={state} flow={flow} />
        </div>
      )
  }
}

/** A file without energy that can be read: why, and what to do. */
function Unreadable({ state, flow }: { state: Extract<ImportState, { step: 'unreadable' }>; flow: Import }) {
  const { file, view, refusal, before } = state
  const t = useT()
  return (
    <div className={page.stack}>
      <p className={page.words}>{file.name}</p>
      <Alert
        type="error"
        showIcon
        message={t(`meterImport:refusals.${refusal.fault}`, { text: isolated(refusal.text) })}
      />
      <div className={`${page.wideRow} ${styles.actions}`}>
        {before && (
          <Button onClick={() => void flow.answer(before, before.answers)}>{t('meterImport:back')}</Button>
        )}
        {view.sheets.length > 1 && <SheetSelect view={view} reopen={(how) => void flow.open(file, how)} />}
        <FileButton
          label={t('meterImport:file')}
          accept={FILE_TYPES}
          choose={(other) => void flow.open(other)}
        >
          {t('meterImport:otherFile')}
        </FileButton>
      </div>
    </div>
  )
}

/** Steps of a file that can be read: review, sending, result. */
function Steps(props: { place: ImportPlace; state: Extract<ImportState, { open: object }>; flow: Import }) {
  const { place, state, flow } = props
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  if (state.step === 'review')
    return (
      <ReadingReview
        open={state.open}
        zone={place.zone}
        meters={place.meters}
        isReading={state.isReading === true}
        error={state.error}
        answer={(answers) => void flow.answer(state.open, answers)}
        chooseMeter={flow.chooseMeter}
        reopen={(how) => void flow.open(state.open.file, how)}
        check={() => void flow.check(state.open)}
        openOther={(file) => void flow.open(file)}
      />
    )
  if (state.step === 'checked')
    return (
      <CheckResult
        rows={state.rows}
        prepared={state.prepared}
        homeId={place.homeId}
        zone={place.zone}
        nameOf={(uid) => nameOfMeter(place.meters, uid, t)}
        callReader={flow.callReader}
        isCommitting={state.isCommitting === true}
        error={state.error}
        commit={(isSure) => void flow.commit(state, isSure)}
        back={() => flow.back(state.open)}
      />
    )
  return (
    <div role="status">
      <Progress
        percent={state.of === 0 ? 0 : Math.floor((state.sentCount / state.of) * 100)}
        aria-label={t('meterImport:steps.sending')}
      />
      <div className={`${page.wideRow} ${styles.actions}`}>
        <span className={page.note}>
          {state.of === 0
            ? t('meterImport:steps.sending')
            : state.sentCount === state.of
              ? t('meterImport:steps.checking')
              : t('meterImport:sent', { sent: number.format(state.sentCount), of: number.format(state.of) })}
        </span>
        <Button onClick={() => flow.back(state.open)}>{t('screens:cancel')}</Button>
      </div>
    </div>
  )
}

/** Name of a meter, or of the register of what it returns. */
function nameOfMeter(meters: ImportPlace['meters'], uid: string, t: ReturnType<typeof useT>): string {
  const [base = uid, register] = uid.split('.')
  const name = meters.find((meter) => meter.uid === base)?.name ?? base
  return register === undefined ? name : t('meterImport:returned', { name })
}

function ToEnergy({ homeId, zone, done: meterImport }: { homeId: string; zone: string; done: MeterImport }) {
  const t = useT()
  const { FirstTimestamp, LastTimestamp } = meterImport
  if (FirstTimestamp === null || LastTimestamp === null) return null
  const day = (at: number) => formatDay(dayOf(at, zone))
  const range = `${day(FirstTimestamp)}..${day(LastTimestamp)}`
  return (
    <Link to={`${pathTo('Electricity', { HomeID: homeId })}?${new URLSearchParams({ range })}`}>
      {t('meterImport:show')}
    </Link>
  )
}

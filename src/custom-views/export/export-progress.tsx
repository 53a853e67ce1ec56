import { formatFigure, formatWhole } from '../../../contract/kernel/numbers.ts'
import { Alert, Button, Progress } from 'antd'
import type { FC } from 'react'
import type { ExportProgress } from '../../lib/export/run-export.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { useStore, type Store } from '../../lib/store.ts'
import { describeFailure } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import type { ExportState } from './use-export.ts'

interface Props {
  state: ExportState
  zone: string
  resume: () => void
  onRestart: () => void
  cancel: () => void
}

const MEGABYTE = 1_048_576

/** Progress of an export; what is missing if it stopped, why it failed, or its file when it is done. */
export const ExportStanding: FC<Props> = ({ state, zone, resume, onRestart, cancel }) => {
  const t = useT()
  const language = useLanguage()
  const rows = formatWhole('rows' in state ? state.rows : 0)
  if (state.step === 'idle') return null
  if (state.step === 'running') return <Running progress={state.progress} cancel={cancel} />
  if (state.step === 'stopped')
    return (
      <Alert
        type="error"
        showIcon
        message={t('export:stopped', { meter: state.meter })}
        description={
          <>
            <p>
              {t('export:missing', {
                from: formatWhen(state.from, language, zone),
                to: formatWhen(state.to, language, zone),
                reason: describeFailure(state.error),
              })}
            </p>
            <div className={page.spread}>
              <Button type="primary" onClick={resume}>
                {t('export:resume')}
              </Button>
              <Button onClick={cancel}>{t('screens:cancel')}</Button>
            </div>
          </>
        }
      />
    )
  if (state.step === 'failed')
    return (
      <Alert
        type="error"
        showIcon
        message={t('export:failed')}
        description={
          <>
            <p>{t(`export:faults.${state.fault}`)}</p>
            <div className={page.spread}>
              {state.fault !== 'refused' && (
                <Button type="primary" onClick={onRestart}>
                  {t('export:again')}
                </Button>
              )}
              <Button onClick={cancel}>{t('screens:close')}</Button>
            </div>
          </>
        }
      />
    )
  const { name, blob } = state.file
  return (
    <Alert
      type="success"
      showIcon
      message={t('export:done', { name })}
      description={
        <>
          <p>{t('export:doneDetail', { rows, megabytes: formatFigure(blob.size / MEGABYTE) })}</p>
          <div className={page.spread}>
            <span className={page.note}>{t('export:notSaved')}</span>
            <Button onClick={() => saveBlob(name, blob)}>{t('export:saveAgain')}</Button>
          </div>
        </>
      }
    />
  )
}

function Running({ progress, cancel }: { progress: Store<ExportProgress>; cancel: () => void }) {
  const t = useT()
  const { rows, percent } = useStore(progress)
  return (
    <div className={page.field} aria-live="off">
      <Progress percent={percent} aria-label={t('export:progress')} />
      <div className={page.spread}>
        <span className={page.figures}>{t('export:rows', { rows: formatWhole(rows) })}</span>
        <Button onClick={cancel}>{t('screens:cancel')}</Button>
      </div>
    </div>
  )
}

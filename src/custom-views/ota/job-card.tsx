import { Alert, Button, Progress, Pagination } from 'antd'
import { useState, type FC } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ota, type OtaDevice, type OtaJob, MAX_OTA_DEVICES } from '../../../contract/devices/ota-calls.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { confirm } from '../../ui/page/dialogs.ts'
import { useNow } from '../../ui/page/use-now.ts'
import pageStyles from '../../ui/page/page.module.css'
import styles from '../../domain/ota/ota.module.css'
import { useTargetName } from './use-target-name.ts'
import { callQuery } from '../../data/api.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { UpdateState } from '../../domain/ota/update-state.tsx'
import { deviceKey } from '../../domain/ota/firmware.ts'
import { Drawer } from '../../ui/page/dialog.tsx'

const PAGE = 50
const REFETCH_INTERVAL_MS = 10_000

interface Props {
  job: OtaJob
  devices: readonly OtaDevice[]
  close: () => void
}

/** All devices of a job: failed first, then in progress, then the rest. */
const JobDetails: FC<Props> = ({ job, devices, close }) => {
  const t = useT()
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...callQuery(ota.listOtaUpdate, {
      HomeID: job.HomeID,
      OtaJobID: job.OtaJobID,
      Limit: MAX_OTA_DEVICES,
    }),
    refetchInterval: job.EndedAt === null ? REFETCH_INTERVAL_MS : false,
  })
  const names = new Map(devices.map((device) => [deviceKey(device), device.Name]))
  const sorted = [...(query.data ?? [])].sort((a, b) => rank(a.State) - rank(b.State) || a.Wave - b.Wave)
  return (
    <Drawer focusAtFirst="dialog" open title={t('ota:job.details')} onClose={close}>
      {query.data ? (
        <>
          <ul className={pageStyles.rows}>
            {sorted.slice((page - 1) * PAGE, page * PAGE).map((update) => (
              <li key={deviceKey(update)} className={styles.result}>
                <div>
                  <strong>{names.get(deviceKey(update)) ?? update.PeripheralUID ?? update.ThingName}</strong>
                  <div className={`${pageStyles.wideRow} ${pageStyles.small} ${pageStyles.words}`}>
                    <span>{t('ota:job.wave', { wave: update.Wave })}</span>
                    <span>
                      {t('ota:change', { from: update.FromVersion ?? '–', to: update.FirmwareVersion })}
                    </span>
                  </div>
                </div>
                <UpdateState update={update} />
              </li>
            ))}
          </ul>
          <Pagination
            className={pageStyles.above16}
            current={page}
            pageSize={PAGE}
            total={sorted.length}
            showSizeChanger={false}
            hideOnSinglePage
            onChange={setPage}
          />
        </>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={6} />
      )}
    </Drawer>
  )
}

const ORDER = [
  'failed',
  'restarting',
  'installing',
  'downloading',
  'sent',
  'waiting',
  'cancelled',
  'succeeded',
]
const rank = (state: string) => ORDER.indexOf(state)

const TONES: Record<OtaJob['State'], Tone> = {
  running: 'on',
  paused: 'warning',
  cancelled: 'offline',
  finished: 'good',
}

export const JobCard: FC<{ job: OtaJob; devices: readonly OtaDevice[] }> = ({ job, devices }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const nameOf = useTargetName()
  const mayControl = useMay('ota', 'Control')
  const [open, setOpen] = useState(false)
  const resume = useAction(ota.resumeOta)
  const cancel = useAction(ota.cancelOta)
  const { Waiting, Active, Succeeded, Failed, Cancelled } = job.Counts
  const all = Waiting + Active + Succeeded + Failed + Cancelled
  const key = { HomeID: job.HomeID, OtaJobID: job.OtaJobID }
  const tone = job.State === 'finished' && Failed > 0 ? 'alarm' : TONES[job.State]

  const confirmCancellation = () =>
    confirm({
      title: t('ota:job.cancelTitle', { count: Waiting }),
      content: t('ota:job.cancelNote'),
      okText: t('ota:job.cancel'),
      okButtonProps: { danger: true },
      cancelText: t('ota:job.keep'),
      onOk: () => cancel.run(key),
    })

  return (
    <li className={pageStyles.tightStack}>
      <div className={pageStyles.spread}>
        <strong>{t('ota:job.title', { target: nameOf(job.Target), version: job.FirmwareVersion })}</strong>
        <StateTag tone={tone}>{t(`ota:job.states.${job.State}`)}</StateTag>
      </div>
      {job.EndedAt === null && (
        <Progress
          percent={Math.round(((Succeeded + Failed + Cancelled) / Math.max(1, all)) * 100)}
          aria-label={t('ota:jobs')}
          status="normal"
        />
      )}
      <div className={`${pageStyles.wideRow} ${pageStyles.small} ${pageStyles.words}`}>
        <span>
          {t('ota:job.counts', {
            succeeded: Succeeded,
            failed: Failed,
            active: Active,
            waiting: Waiting,
          })}
        </span>
        {Cancelled > 0 && <span>{t('ota:job.cancelledCount', { count: Cancelled })}</span>}
        <span>{t('ota:job.by', { name: job.By, age: formatAge(job.RequestedAt, now, language) })}</span>
      </div>
      {job.Pause && (
        <Alert
          type="warning"
          showIcon
          message={t(`ota:job.pauses.${job.Pause}`)}
          action={
            mayControl && (
              <Button type="primary" loading={resume.busy} onClick={() => void resume.run(key)}>
                {t('ota:job.resume')}
              </Button>
            )
          }
        />
      )}
      <div className={pageStyles.wideRow}>
        <Button onClick={() => setOpen(true)}>{t('ota:job.details')}</Button>
        {mayControl && Waiting > 0 && job.State !== 'cancelled' && (
          <Button danger onClick={confirmCancellation} loading={cancel.busy}>
            {t('ota:job.cancel')}
          </Button>
        )}
      </div>
      {open && <JobDetails job={job} devices={devices} close={() => setOpen(false)} />}
    </li>
  )
}

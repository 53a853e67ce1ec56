import { useQuery } from '@tanstack/react-query'
import { Pagination } from 'antd'
import { useState, type FC } from 'react'
import { MAX_OTA_DEVICES, ota, type OtaDevice, type OtaJob } from '../../../contract/devices/ota-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import styles from '../../domain/ota/ota.module.css'
import { UpdateState } from '../../domain/ota/update-state.tsx'
import { deviceKey } from '../../domain/ota/versions.ts'
import { Drawer } from '../../ui/dialog/dialog.tsx'

const PAGE = 50
const LOOK_EVERY = 10_000

interface Props {
  job: OtaJob
  devices: readonly OtaDevice[]
  close: () => void
}

/** All devices of a job: failed first, then in progress, then the rest. */
export const JobDetails: FC<Props> = ({ job, devices, close }) => {
  const t = useT()
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...callQuery(ota.listOtaUpdate, {
      HomeID: job.HomeID,
      OtaJobID: job.OtaJobID,
      Limit: MAX_OTA_DEVICES,
    }),
    refetchInterval: job.EndedAt === null ? LOOK_EVERY : false,
  })
  const names = new Map(devices.map((device) => [deviceKey(device), device.Name]))
  const sorted = [...(query.data ?? [])].sort((a, b) => rank(a.State) - rank(b.State) || a.Wave - b.Wave)
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      width={560}
      title={t('ota:job.details')}
      closable={{ 'aria-label': t('screens:close') }}
      onClose={close}
    >
      {query.data ? (
        <>
          <ul className={styles.list}>
            {sorted.slice((page - 1) * PAGE, page * PAGE).map((update) => (
              <li key={deviceKey(update)} className={styles.result}>
                <div>
                  <strong>{names.get(deviceKey(update)) ?? update.PeripheralUID ?? update.ThingName}</strong>
                  <div className={styles.meta}>
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
            className={styles.pages}
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

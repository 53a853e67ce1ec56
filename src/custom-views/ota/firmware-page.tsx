import { Card, Select } from 'antd'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { deviceKinds } from '../../../contract/devices/kinds/registry.ts'
import type { OtaOverview } from '../../../contract/devices/ota-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { DeviceList } from './device-list.tsx'
import { JobCard } from './job-card.tsx'
import { Library } from './library.tsx'
import page from '../../ui/page/page.module.css'
import styles from '../../domain/ota/ota.module.css'
import { useOta, versionsFor } from '../../domain/ota/firmware.ts'
import { useTargetName } from './use-target-name.ts'

/** Number of past jobs shown at first. */
const HISTORY = 10

/** Firmware of a home: running jobs, versions of the devices, library, and past jobs. */
export default function FirmwarePage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const query = useOta(HomeID)
  useLiveHomes(HomeID ? [HomeID] : [])
  return (
    <Page title={t('shell:pages.Firmware')} intro={t('ota:intro')} className={styles.page} key={HomeID}>
      {query.data ? (
        <Overview homeId={HomeID} overview={query.data} refresh={() => void query.refetch()} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Card>
          <ListSkeleton rows={8} />
        </Card>
      )}
    </Page>
  )
}

interface Props {
  homeId: string
  overview: OtaOverview
  refresh: () => void
}

function Overview({ homeId, overview, refresh }: Props) {
  const t = useT()
  const nameOf = useTargetName()
  const [address, setAddress] = useSearchParams()
  const [all, setAll] = useState(false)
  const present = [...new Set(overview.Devices.map(({ Target }) => Target))].filter(
    (candidate) => candidate !== 'hub',
  )
  const knownTargets = Object.values(deviceKinds).flatMap(({ variants }) => Object.keys(variants))
  const targets = ['hub', ...new Set([...present, ...knownTargets])]
  const requestedTarget = address.get('target') ?? 'hub'
  const target = targets.includes(requestedTarget) ? requestedTarget : 'hub'
  const open = overview.Jobs.filter(({ EndedAt }) => EndedAt === null)
  const endedJobs = overview.Jobs.filter(({ EndedAt }) => EndedAt !== null)
  const versions = versionsFor(overview.Firmwares, target)
  const inView = ['hub', ...present, ...(present.includes(target) || target === 'hub' ? [] : [target])]

  return (
    <>
      {open.length > 0 && (
        <Card title={t('ota:jobs')}>
          <ul className={page.rows}>
            {open.map((job) => (
              <JobCard key={job.OtaJobID} job={job} devices={overview.Devices} />
            ))}
          </ul>
        </Card>
      )}
      <label className={`${page.tightRow} ${styles.target}`}>
        {t('ota:target')}
        <Select
          aria-label={t('ota:target')}
          value={target}
          popupMatchSelectWidth={false}
          onChange={(next) => setAddress(next === 'hub' ? {} : { target: next }, { replace: true })}
          options={inView.map((value) => ({ value, label: nameOf(value) }))}
        />
      </label>
      <DeviceList
        key={target}
        homeId={homeId}
        target={target}
        devices={overview.Devices.filter(({ Target }) => Target === target)}
        versions={versions}
        started={refresh}
      />
      <Library target={target} targets={targets} versions={versions} changed={refresh} />
      <Card title={t('ota:history')}>
        {endedJobs.length === 0 ? (
          <EmptyState message={t('ota:historyEmpty')} />
        ) : (
          <ul className={page.rows}>
            {(all ? endedJobs : endedJobs.slice(0, HISTORY)).map((job) => (
              <JobCard key={job.OtaJobID} job={job} devices={overview.Devices} />
            ))}
          </ul>
        )}
        {!all && endedJobs.length > HISTORY && (
          <button type="button" className={`${page.accent} ${page.touch}`} onClick={() => setAll(true)}>
            {t('ota:historyAll', { count: endedJobs.length })}
          </button>
        )}
      </Card>
    </>
  )
}

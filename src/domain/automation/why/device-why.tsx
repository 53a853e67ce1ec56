import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { type FC, useEffect } from 'react'
import { Link } from 'react-router'
import { eventValuesOf } from '../../../../contract/devices/kinds/history-fields.ts'
import { runs as calls } from '../../../../contract/automation/run-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { callQuery } from '../../../data/api.ts'
import { useStatus } from '../../../data/status-store.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { LoadFailed } from '../../../ui/page/states.tsx'
import page from '../../../ui/page/page.module.css'
import { pathOfUser } from '../parts/path-of-user.ts'
import { UserList } from '../parts/user-list.tsx'
import { Causes } from './causes.tsx'
import { useCauseWords } from './cause-words.ts'
import { WhyNot } from './why-not.tsx'
import styles from './why.module.css'

/** Why a device is as it is, what will set it next, why others did not, and what names it. */
const DeviceWhy: FC<{ device: Peripheral }> = ({ device }) => {
  const t = useT()
  const { HomeID, PeripheralUID, PeripheralType } = device
  const status = useStatus(PeripheralUID)
  const { data, error, refetch } = useQuery(callQuery(calls.explainDevice, { HomeID, PeripheralUID }))
  const { nextOf } = useCauseWords(device)
  const states = JSON.stringify(eventValuesOf(PeripheralType, status ?? {}))
  useEffect(() => {
    void refetch()
    // Asked again when a state changes, not when a figure does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [states, refetch])
  return (
    <>
      <section className={`${page.section} ${styles.section}`} aria-label={t('automation:why.title')}>
        <h2>{t('automation:why.title')}</h2>
        {data ? (
          <>
            <Causes device={device} causes={data.Causes} />
            {data.Next.length > 0 && (
              <>
                <h3 className={styles.next}>{t('automation:why.nextTitle')}</h3>
                <ul className={styles.lines}>
                  {data.Next.map((act) => (
                    <li key={`${act.AutomationID} ${act.At}`}>
                      <Link to={pathOfUser({ ...act, Kind: 'automation', HomeID, ID: act.AutomationID })}>
                        {nextOf(act)}
                      </Link>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        ) : error ? (
          <LoadFailed error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        )}
      </section>
      {data && <WhyNot device={device} explained={data} />}
      <UserList HomeID={HomeID} Subject="device" ID={PeripheralUID} />
    </>
  )
}
export default DeviceWhy

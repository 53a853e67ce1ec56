import { useQuery } from '@tanstack/react-query'
import { Skeleton, Button } from 'antd'
import { type FC, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { eventValuesOf } from '../../../../contract/devices/kinds/history-fields.ts'
import { runs as calls, type Cause } from '../../../../contract/automation/run-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { callQuery } from '../../../data/api.ts'
import { useStatus } from '../../../data/status-store.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { LoadFailed } from '../../../ui/page/states.tsx'
import page from '../../../ui/page/page.module.css'
import { pathOfUser, UserList } from '../parts/user-list.tsx'
import { useCauseWords, type CauseText, groupNearMisses, useWhyNotWords } from './cause-words.ts'
import { RunButton } from '../runs/run-button.tsx'

/** Number of causes shown before "show all". */
const MAX_SHOWN = 4

/** Changes of a device, newest first, with a link to the run behind each. */
function Causes({ device, causes }: { device: Peripheral; causes: readonly Cause[] }) {
  const t = useT()
  const { causeOf } = useCauseWords(device)
  const [showsAll, showAll] = useState(false)
  if (causes.length === 0) return <p className={page.note}>{t('automation:why.none')}</p>
  const visibleCauses = showsAll ? causes : causes.slice(0, MAX_SHOWN)
  const moreCount = causes.length - visibleCauses.length
  return (
    <>
      <ol className={`${page.rows} ${page.spreadRows}`}>
        {visibleCauses.map((cause, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- two may have the same text; the order is fixed
          <li key={i}>
            <span>{causeOf(cause)}</span>
            {cause.Run && (
              <RunButton
                HomeID={device.HomeID}
                name={cause.Run.Name ?? causeOf(cause)}
                runId={cause.Run.RunID}
              >
                {t('automation:run.details')}
              </RunButton>
            )}
          </li>
        ))}
      </ol>
      {moreCount > 0 && (
        <Button type="text" onClick={() => showAll(true)}>
          {t('automation:why.earlier', { count: moreCount })}
        </Button>
      )}
    </>
  )
}

/** Explanation of a device's state: its last changes, the next one, automations that did not run, and what references it. */
const DeviceWhy: FC<{ device: Peripheral }> = ({ device }) => {
  const t = useT()
  const { HomeID, PeripheralUID, PeripheralType } = device
  const status = useStatus(PeripheralUID)
  const { data, error, refetch } = useQuery(callQuery(calls.explainDevice, { HomeID, PeripheralUID }))
  const { nextOf } = useCauseWords(device)
  const states = JSON.stringify(eventValuesOf(PeripheralType, status ?? {}))
  useEffect(() => {
    void refetch()
    // Refetch when a state changes, not on every reading.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [states, refetch])
  return (
    <>
      <section className={page.section} aria-label={t('automation:why.title')}>
        <h2>{t('automation:why.title')}</h2>
        {data ? (
          <>
            <Causes device={device} causes={data.Causes} />
            {data.Next.length > 0 && (
              <>
                <h3 className={page.above16}>{t('automation:why.nextTitle')}</h3>
                <ul className={`${page.rows} ${page.spreadRows}`}>
                  {data.Next.map((action) => (
                    <li key={`${action.AutomationID} ${action.At}`}>
                      <Link
                        to={pathOfUser({ ...action, Kind: 'automation', HomeID, ID: action.AutomationID })}
                      >
                        {nextOf(action)}
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

interface Props {
  device: Pick<Peripheral, 'HomeID'>
  explained: CauseText
}

/** Automations of a device that cannot run now or recently did not; renders nothing if no automation uses the device. */
function WhyNot({ device: { HomeID }, explained: { Held, Nearly, Next } }: Props) {
  const t = useT()
  const { heldReasonOf, nearMissText: nearlyOf } = useWhyNotWords(HomeID)
  if (Held.length + Nearly.length + Next.length === 0) return null
  return (
    <section className={page.section} aria-label={t('automation:why.notTitle')}>
      <h2>{t('automation:why.notTitle')}</h2>
      {Held.length + Nearly.length === 0 && <p className={page.note}>{t('automation:why.notNone')}</p>}
      <ul className={`${page.rows} ${page.spreadRows}`}>
        {Held.map((rule) => (
          <li key={rule.AutomationID}>
            <Link to={pathOfUser({ ...rule, Kind: 'automation', HomeID, ID: rule.AutomationID })}>
              {heldReasonOf(rule)}
            </Link>
          </li>
        ))}
        {groupNearMisses(Nearly).map((nearMiss) => (
          <li key={nearMiss.run.RunID}>
            <span>{nearlyOf(nearMiss)}</span>
            <RunButton
              HomeID={HomeID}
              name={nearMiss.run.Name ?? nearlyOf(nearMiss)}
              runId={nearMiss.run.RunID}
            >
              {t('automation:run.details')}
            </RunButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

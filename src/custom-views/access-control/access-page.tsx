import { Tabs } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { FC, ReactNode } from 'react'
import { Link } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import pageStyles from '../../ui/page/page.module.css'
import { Muster } from './muster.tsx'
import { ScanLog } from './scan-log.tsx'
import { VisitorsToday } from './visitors-today.tsx'
import { oneOf, useAddress } from '../../ui/page/use-address.ts'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { scanner } from '../../../contract/access-control/scanner.ts'
import { pathTo, type PathName } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import figures from '../../ui/tags/figure.module.css'
import { daySpanOf, today } from '../../ui/inputs/days.ts'
import { useZone } from '../../ui/page/format-when.ts'

/** Polling interval: a visitor becomes overdue without a data change. */
const REFETCH_INTERVAL_MS = 60_000

/** Today's figures with links to their lists, today's visitors, and the access control pages that the user may open. */
const Overview: FC = () => {
  const t = useT()
  const may = {
    visitor: useMay('access_control_visitor', 'Read'),
    employee: useMay('access_control_employee', 'Read'),
    scanner: useMay('access_control_scanner', 'Read'),
  }
  const zone = useZone()
  const day = today(zone)
  const { From = 0, Until = 0 } = daySpanOf(day, day, zone)
  const visitors = useQuery({
    ...callQuery(accessControl.getVisitorOverview, { From, Until }),
    enabled: may.visitor,
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const scanners = useQuery({
    ...callQuery(scanner.operations.list, {}),
    enabled: may.scanner,
  })
  const failed = visitors.error ?? scanners.error
  if (failed && !visitors.data && !scanners.data)
    return (
      <LoadFailed
        error={failed}
        retry={() => {
          void visitors.refetch()
          void scanners.refetch()
        }}
      />
    )
  if ((may.visitor && visitors.isPending) || (may.scanner && scanners.isPending))
    return <ListSkeleton rows={4} />

  const list = (state: string, day?: string) =>
    `${pathTo('VisitorManagement')}?${new URLSearchParams({ state, ...(day && { from: day, to: day }) })}`
  const online = scanners.data?.filter(({ Online }) => Online).length ?? 0
  return (
    <div className={pageStyles.page}>
      <ul className={pageStyles.tiles}>
        {visitors.data && (
          <>
            <Tile label={t('access:expectedToday')} to={list('expected', day)}>
              {visitors.data.Expected}
            </Tile>
            <Tile label={t('access:insideNow')} to={list('inside,overdue')}>
              {visitors.data.Inside}
            </Tile>
            <Tile label={t('access:overdueNow')} to={list('overdue')} alarm={visitors.data.Overdue > 0}>
              {visitors.data.Overdue}
            </Tile>
          </>
        )}
        {scanners.data && (
          <Tile
            label={t('access:scannersOnline')}
            to={pathTo('ScannerManagement')}
            alarm={online < scanners.data.length}
          >
            {t('access:ofTotal', { count: online, total: scanners.data.length })}
          </Tile>
        )}
      </ul>
      {may.visitor && <VisitorsToday From={From} Until={Until} />}
      <ul className={pageStyles.tiles}>
        {may.visitor && <Way page="VisitorManagement" note={t('access:notes.visitors')} />}
        {may.visitor && <Way page="VisitorRegister" note={t('access:notes.register')} />}
        {may.employee && <Way page="EmployeeManagement" note={t('access:notes.employees')} />}
        {may.scanner && <Way page="ScannerManagement" note={t('access:notes.scanners')} />}
      </ul>
    </div>
  )
}

const Tile: FC<{ label: string; to: string; alarm?: boolean; children: ReactNode }> = ({
  label,
  to,
  alarm,
  children,
}) => (
  <li>
    <Link to={to} className={`${pageStyles.option} ${pageStyles.field} ${pageStyles.padded}`}>
      <span className={pageStyles.muted}>{label}</span>
      <strong className={`${figures.large} ${alarm ? pageStyles.fault : ''}`}>{children}</strong>
    </Link>
  </li>
)

const Way: FC<{ page: PathName; note: string }> = ({ page, note }) => {
  const t = useT()
  return (
    <li>
      <Link to={pathTo(page)} className={`${pageStyles.option} ${pageStyles.field} ${pageStyles.padded}`}>
        <b>{t(`shell:pages.${page}`)}</b>
        <span className={pageStyles.muted}>{note}</span>
      </Link>
    </li>
  )
}

const TABS = ['overview', 'inside', 'log'] as const

/** /AccessControl: today's figures, people on site, and the scan log. */
export default function AccessPage() {
  const t = useT()
  const { get, change } = useAddress()
  const mayLog = useMay('access_control_scanner', 'Read')
  const tab = (mayLog && oneOf(TABS, get('tab'))) || 'overview'
  return (
    <Page title={t('shell:pages.AccessControl')}>
      {mayLog ? (
        <Tabs
          activeKey={tab}
          destroyOnHidden
          onChange={(next) => change({ tab: next === 'overview' ? undefined : next })}
          items={[
            { key: 'overview', label: t('access:tabs.overview'), children: <Overview /> },
            { key: 'inside', label: t('access:tabs.inside'), children: <Muster /> },
            { key: 'log', label: t('access:tabs.log'), children: <ScanLog /> },
          ]}
        />
      ) : (
        <Overview />
      )}
    </Page>
  )
}

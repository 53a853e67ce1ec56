import { Tabs } from 'antd'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import page from '../../ui/page/page.module.css'
import { Muster } from './muster.tsx'
import { Overview } from './overview.tsx'
import { ScanLog } from './scan-log.tsx'
import { oneOf, useAddress } from '../../ui/page/use-address.ts'

const TABS = ['overview', 'inside', 'log'] as const

/** /AccessControl: today's figures, people on site, and the scan log. */
export default function AccessPage() {
  const t = useT()
  const { get, change } = useAddress()
  const mayLog = useMay('access_control_scanner', 'Read')
  const tab = (mayLog && oneOf(TABS, get('tab'))) || 'overview'
  return (
    <section className={page.page}>
      <header className={page.header}>
        <h1>{t('shell:pages.AccessControl')}</h1>
      </header>
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
    </section>
  )
}

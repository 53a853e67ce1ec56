import { Tabs } from 'antd'
import { useParams } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { BillCard } from './bill-card.tsx'
import { CarbonCard } from './carbon-card.tsx'
import { Comparison } from './comparison.tsx'
import { DemandCard } from './demand-card.tsx'
import { HomeTariffCard } from './home-tariff-card.tsx'
import { OffPeakCard } from './off-peak-card.tsx'
import { OwnTariffs } from './own-tariffs.tsx'
import { PeakDaysCard } from './peak-days-card.tsx'
import { Page } from '../../ui/page/page.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { TABS, useTariffAddress, type Tab } from './use-tariff.ts'

/** Energy costs of a home: its tariff and demand, its bills, other plans, and the rules behind them. */
export default function TariffPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const { tab, openTab } = useTariffAddress()
  return (
    <Page title={t('shell:pages.Tariff')} intro={t('tariff:intro')} className={styles.page} key={HomeID}>
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => openTab(TABS.find((knownTab) => knownTab === key) ?? 'home')}
        items={TABS.map((key) => ({
          key,
          label: t(`tariff:tabs.${key}`),
          children: key === tab && <Panel tab={key} homeId={HomeID} />,
        }))}
      />
    </Page>
  )
}

function Panel({ tab, homeId }: { tab: Tab; homeId: string }) {
  switch (tab) {
    case 'home':
      return <HomeTariffCard homeId={homeId} />
    case 'demand':
      return <DemandCard homeId={homeId} />
    case 'bill':
      return <BillCard homeId={homeId} />
    case 'compare':
      return <Comparison homeId={homeId} />
    case 'own':
      return <OwnTariffs homeId={homeId} />
    case 'rules':
      return (
        <div className={`${page.stack} ${page.tightStack}`}>
          <OffPeakCard homeId={homeId} />
          <PeakDaysCard homeId={homeId} />
          <CarbonCard homeId={homeId} />
        </div>
      )
  }
}

import { Tabs } from 'antd'
import { useParams, useSearchParams } from 'react-router'
import { useT } from '../../providers/i18n.ts'
import { BillCard } from './bill-card.tsx'
import { CarbonCard } from './carbon-card.tsx'
import { Comparison } from './comparison.tsx'
import { DemandCard } from './demand-card.tsx'
import { HomeTariffCard } from './home-tariff-card.tsx'
import { OffPeakCard } from './off-peak-card.tsx'
import { OwnTariffs } from './own-tariffs.tsx'
import styles from './tariff.module.css'
import { useTariffChanges } from './use-tariff.ts'

const TABS = ['home', 'bill', 'compare', 'own', 'rules'] as const
type Tab = (typeof TABS)[number]

/** What a home pays for energy: its tariff and demand, its bills, other plans, and the rules behind them. */
export default function TariffPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const [address, setAddress] = useSearchParams()
  useTariffChanges()
  const tab = TABS.find((one) => one === address.get('tab')) ?? 'home'
  return (
    <section className={styles.page} key={HomeID}>
      <header>
        <h1>{t('shell:pages.Tariff')}</h1>
        <p className={styles.note}>{t('tariff:intro')}</p>
      </header>
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => setAddress(key === 'home' ? {} : { tab: key }, { replace: true })}
        items={TABS.map((key) => ({
          key,
          label: t(`tariff:tabs.${key}`),
          children: key === tab && <Panel tab={key} homeId={HomeID} />,
        }))}
      />
    </section>
  )
}

function Panel({ tab, homeId }: { tab: Tab; homeId: string }) {
  switch (tab) {
    case 'home':
      return (
        <div className={styles.stack}>
          <HomeTariffCard homeId={homeId} />
          <DemandCard homeId={homeId} />
        </div>
      )
    case 'bill':
      return <BillCard homeId={homeId} />
    case 'compare':
      return <Comparison homeId={homeId} />
    case 'own':
      return <OwnTariffs />
    case 'rules':
      return (
        <div className={styles.stack}>
          <OffPeakCard homeId={homeId} />
          <CarbonCard />
        </div>
      )
  }
}

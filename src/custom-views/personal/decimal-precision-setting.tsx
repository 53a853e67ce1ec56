import { useQuery } from '@tanstack/react-query'
import { Button, Card, Segmented, Select } from 'antd'
import { useState } from 'react'
import type { PersonalConfig, StartPage } from '../../../contract/people/personal-calls.ts'
import { CURRENCY, formatDecimals } from '../../../contract/kernel/numbers.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { personalQuery, savePersonalConfig } from '../../data/personal.ts'
import { Figure, PowerValue } from '../../ui/tags/power-value.tsx'
import styles from './personal.module.css'
import { useSubject } from '../../data/session.ts'
import { startPageKey, startPages } from '../../shell/start-page.ts'
import { Settings } from './settings.tsx'
import { useAction } from '../../data/use-action.ts'
import { Page } from '../../ui/page/page.tsx'
import page from '../../ui/page/page.module.css'

const CHOICES = [0, 1, 2, 3, 4, 5, 6]
const EXAMPLE_KWH = 1234.567891
const EXAMPLE_BILL = 8204.9376
const EXAMPLE_WATT = 1804.6

/** Number of decimals of meter readings, bills and files, power having its own rule (§5); and the page that is shown first. */
export default function DecimalPrecisionSetting() {
  const t = useT()
  const query = useQuery(personalQuery)
  return (
    <Page title={t('personal:precision.pageTitle')} width="form" className={styles.page}>
      <Card title={t('personal:precision.title')}>
        <p className={`${page.note} ${page.below12}`}>{t('personal:precision.note')}</p>
        <Settings query={query}>{(config) => <Chooser config={config} />}</Settings>
      </Card>
      <Card title={t('personal:start.title')}>
        <p className={`${page.note} ${page.below12}`}>{t('personal:start.note')}</p>
        <Settings query={query}>{(config) => <StartPageChoice config={config} />}</Settings>
      </Card>
    </Page>
  )
}

/** Saved when it is chosen. */
function StartPageChoice({ config }: { config: PersonalConfig }) {
  const t = useT()
  const subject = useSubject()
  const { busy, run } = useAction(savePersonalConfig)
  return (
    <Select<StartPage>
      className={page.choice ?? ''}
      aria-label={t('personal:start.title')}
      value={config.StartPage ?? 'Dashboard'}
      options={startPages(subject).map((name) => ({ value: name, label: t(startPageKey(name)) }))}
      disabled={busy}
      onChange={(StartPage) => void run({ StartPage }, () => tNow('personal:updated'))}
    />
  )
}

/** The example follows the choice at once; the screens follow when it is saved. */
function Chooser({ config }: { config: PersonalConfig }) {
  const t = useT()
  const { busy, run } = useAction(savePersonalConfig)
  const [selectedValue, setSelectedValue] = useState<number>()
  const digits = selectedValue ?? config.DecimalPrecision
  const save = async () => {
    if (await run({ DecimalPrecision: digits }, () => tNow('personal:updated'))) setSelectedValue(undefined)
  }
  return (
    <>
      <Segmented
        block
        value={digits}
        options={CHOICES}
        disabled={busy}
        aria-label={t('personal:precision.digits')}
        onChange={setSelectedValue}
      />
      <h2>{t('personal:precision.example')}</h2>
      <dl className={`${page.facts} ${page.measures} ${page.below12}`} aria-live="polite">
        <dt>{t('personal:precision.energy')}</dt>
        <dd>
          <Figure value={formatDecimals(EXAMPLE_KWH, digits)} unit="kWh" />
        </dd>
        <dt>{t('personal:precision.bill')}</dt>
        <dd>
          <Figure value={formatDecimals(EXAMPLE_BILL, digits)} unit={CURRENCY} />
        </dd>
        <dt>{t('personal:precision.power')}</dt>
        <dd>
          <PowerValue watts={EXAMPLE_WATT} />
        </dd>
      </dl>
      <p className={`${page.note} ${page.below12}`}>{t('personal:precision.powerNote')}</p>
      <Button
        type="primary"
        loading={busy}
        disabled={digits === config.DecimalPrecision}
        onClick={() => void save()}
      >
        {t('personal:precision.save')}
      </Button>
    </>
  )
}

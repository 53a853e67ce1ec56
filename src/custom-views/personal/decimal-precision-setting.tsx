import { useQuery } from '@tanstack/react-query'
import { Button, Card, Segmented } from 'antd'
import { useState } from 'react'
import type { PersonalConfig } from '../../../contract/people/personal-calls.ts'
import { CURRENCY, formatDecimals } from '../../../contract/kernel/numbers.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { personalQuery, savePersonalConfig } from '../../data/personal.ts'
import { Figure, PowerValue } from '../../ui/tags/power-value.tsx'
import styles from './personal.module.css'
import { Settings } from './settings.tsx'
import { useAction } from '../../data/use-action.ts'
import { Page } from '../../ui/page/page.tsx'

const CHOICES = [0, 1, 2, 3, 4, 5, 6]
const EXAMPLE_KWH = 1234.567891
const EXAMPLE_BILL = 8204.9376
const EXAMPLE_WATT = 1804.6

/** Number of decimals of meter readings, bills and files; power has its own rule (§5). */
export default function DecimalPrecisionSetting() {
  const t = useT()
  const query = useQuery(personalQuery)
  return (
    <Page title={t('personal:precision.title')} width="form" className={styles.page}>
      <Card>
        <p className={styles.note}>{t('personal:precision.note')}</p>
        <Settings query={query}>{(config) => <Chooser config={config} />}</Settings>
      </Card>
    </Page>
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
      <dl className={styles.example} aria-live="polite">
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
      <p className={styles.note}>{t('personal:precision.powerNote')}</p>
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

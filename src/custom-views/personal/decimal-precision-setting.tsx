import { Card, Segmented } from 'antd'
import { formatReading } from '../../lib/format-power.ts'
import { useT } from '../../providers/i18n.ts'
import { usePersonalConfig } from '../../providers/personal.ts'
import { Figure } from '../../ui/power-value.tsx'
import styles from './personal.module.css'
import { useSavePersonal } from './use-save-personal.ts'

const CHOICES = [0, 1, 2, 3, 4, 5, 6]
const EXAMPLE_KWH = 1234.567891

/** With how many decimals readings are shown; power keeps its own rule (§5). */
export default function DecimalPrecisionSetting() {
  const t = useT()
  const { DecimalPrecision } = usePersonalConfig()
  const { busy, save } = useSavePersonal()
  return (
    <section className={styles.page}>
      <h1>{t('screens:precision.title')}</h1>
      <Card>
        <p className={styles.note}>{t('screens:precision.note')}</p>
        <Segmented
          value={DecimalPrecision}
          options={CHOICES}
          disabled={busy}
          aria-label={t('screens:precision.title')}
          onChange={(next) => void save({ DecimalPrecision: next })}
        />
        <p className={styles.example}>
          <Figure value={formatReading(EXAMPLE_KWH, DecimalPrecision)} unit="kWh" />
        </p>
      </Card>
    </section>
  )
}

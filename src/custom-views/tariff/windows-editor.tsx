import { Button, Select } from 'antd'
import { formatMinute } from '../../../contract/time/periods.ts'
import { BANDS, type TariffWindow } from '../../../contract/tariffs/tariff-terms.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { BandStrip } from './band-strip.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { holdsLabel } from '../../lib/match-words.ts'

const TIMES = Array.from({ length: 97 }, (_, i) => ({ value: i * 15, label: formatMinute(i * 15) }))

interface Props {
  label: string
  windows: readonly TariffWindow[]
  onChange: (next: TariffWindow[]) => void
}

/** Editor of the windows of one kind of day, below their strip. */
export function WindowsEditor({ label, windows, onChange }: Props) {
  const t = useT()
  const change = (i: number, changes: Partial<TariffWindow>) =>
    onChange(windows.map((entry, n) => (n === i ? { ...entry, ...changes } : entry)))
  const last = windows.at(-1)?.ThroughMinute ?? 0
  return (
    <div className={`${page.stack} ${page.tightStack}`} role="group" aria-label={label}>
      <div className={styles.day}>
        <span>{label}</span>
        <BandStrip spans={windows.toSorted((a, b) => a.FromMinute - b.FromMinute)} />
      </div>
      {windows.map(({ FromMinute, ThroughMinute, Band }, i) => (
        <div key={i} className={`${page.row} ${styles.row}`}>
          <Select
            showSearch
            aria-label={t('tariff:own.windowFrom')}
            value={FromMinute}
            options={TIMES.slice(0, -1)}
            filterOption={holdsLabel}
            onChange={(value) => change(i, { FromMinute: value })}
            style={{ width: 96 }}
          />
          <Select
            showSearch
            aria-label={t('tariff:own.windowThrough')}
            value={ThroughMinute}
            options={TIMES.slice(1)}
            filterOption={holdsLabel}
            onChange={(value) => change(i, { ThroughMinute: value })}
            style={{ width: 96 }}
          />
          <Select
            aria-label={t('tariff:own.windowBand')}
            value={Band}
            options={BANDS.filter((band) => band !== 'flat').map((value) => ({
              value,
              label: t(`tariff:bands.${value}`),
            }))}
            onChange={(value) => change(i, { Band: value })}
            style={{ minWidth: 130 }}
          />
          <Button danger onClick={() => onChange(windows.filter((_, n) => n !== i))}>
            {t('tariff:home.remove')}
          </Button>
        </div>
      ))}
      <div>
        <Button
          onClick={() =>
            onChange([
              ...windows,
              {
                FromMinute: Math.min(last, 1425),
                ThroughMinute: 1440,
                Band: windows.at(-1)?.Band ?? 'offPeak',
              },
            ])
          }
        >
          {t('tariff:own.addWindow')}
        </Button>
      </div>
    </div>
  )
}

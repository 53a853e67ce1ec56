import { Button } from 'antd'
import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { series } from '../../ui/theme/theme.ts'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'

interface Props {
  /** Form value: #rrggbb, or null for the next free color of a chart. */
  value?: string | null
  onChange?: (next: string | null) => void
  id?: string
}

/** Selects the color of a series: a palette safe for color vision deficiencies, any other color, or automatic. */
export const IndexColor: FC<Props> = ({ value = null, onChange, id }) => {
  const t = useT()
  const known = series.light.map((color) => color.toLowerCase())
  return (
    <div
      id={id}
      role="group"
      aria-label={t('resources:peripheral.fields.IndexColor')}
      className={page.tightRow}
    >
      {known.map((color, i) => (
        <button
          key={color}
          type="button"
          className={styles.swatch}
          style={{ background: color }}
          aria-pressed={color === value}
          aria-label={t('devices:color.number', { number: i + 1 })}
          onClick={() => onChange?.(color)}
        />
      ))}
      <label className={styles.custom}>
        <input
          type="color"
          value={value ?? known[0]}
          aria-label={t('devices:color.custom')}
          onChange={(event) => onChange?.(event.target.value)}
        />
        {t(value === null ? 'devices:color.automatic' : 'devices:color.custom')}
      </label>
      {value !== null && <Button onClick={() => onChange?.(null)}>{t('devices:color.clear')}</Button>}
    </div>
  )
}

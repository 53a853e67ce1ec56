import { Button } from 'antd'
import type { FC } from 'react'
import {
  type Color,
  colorHex,
  colorName,
  MAX_COLORS,
} from '../../../../contract/devices/capabilities/light-house.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './calibration.module.css'

interface Props {
  colors: readonly Color[]
  count: number
  busy: boolean
  /** Stores the color that is shown now as color number `count`. */
  memorize: (count: number) => void
  clear: () => void
  finish: () => void
}

/** Memorizes up to six colors, one after another (§4). */
export const MemorizeColors: FC<Props> = ({ colors, count, busy, memorize, clear, finish }) => {
  const t = useT()
  const why = useNoControl()
  const isFull = count >= MAX_COLORS
  return (
    <>
      <p>{isFull ? t('lightHouse:say.memorizeFull') : t('lightHouse:say.memorize', { number: count + 1 })}</p>
      <div className={styles.memorized}>
        <span>
          {t('lightHouse:memorized')} {t('lightHouse:count', { count, most: MAX_COLORS })}
        </span>
        <ol>
          {colors.map((color, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a color is identified by its index
            <li key={index}>
              <span
                className={styles.swatch}
                style={{ '--lamp': colorHex(color) } as Record<string, string>}
                aria-hidden
              />
              {t('lightHouse:color', {
                number: index + 1,
                name: t(`devices:lamps.${colorName(color)}`),
              })}
            </li>
          ))}
        </ol>
      </div>
      {!isFull && (
        <Button type="primary" size="large" block loading={busy} onClick={() => memorize(count + 1)}>
          {t(busy ? 'lightHouse:say.working' : 'lightHouse:do.memorize')}
        </Button>
      )}
      <div className={`${page.buttons} ${styles.actions}`}>
        <Button size="large" disabled={busy || why !== undefined || count < 2} onClick={clear}>
          {t('lightHouse:do.forget')}
        </Button>
        <Button
          size="large"
          type={isFull ? 'primary' : 'default'}
          disabled={busy || why !== undefined || count === 0}
          onClick={finish}
        >
          {t('lightHouse:do.finish')}
        </Button>
      </div>
    </>
  )
}

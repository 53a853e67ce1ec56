import ArrowDownOutlined from '@ant-design/icons-svg/es/asn/ArrowDownOutlined.js'
import ArrowUpOutlined from '@ant-design/icons-svg/es/asn/ArrowUpOutlined.js'
import { percentageOf } from '../../../contract/energy/coverage.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import page from '../../ui/page/page.module.css'
import styles from './energy.module.css'
import type { Difference } from './totals.ts'
import { formatShare } from './use-figures.ts'

/**
 * Difference from the previous period, with an arrow and a sign, not by color alone. Shows a percentage only if both periods have enough
 * data.
 */
export function Change(props: { difference: Difference; unit: string; format: (value: number) => string }) {
  const { difference, unit, format } = props
  const { soFar, partly, complete } = difference
  const t = useT()
  // No arrow and no sign on a figure that rounds to 0.
  const delta = roundsToZero(difference.by, format) ? 0 : difference.by
  const share =
    difference.share !== null && roundsToZero(difference.share, formatShare) ? 0 : difference.share
  const amount = `${delta > 0 ? '+' : ''}${format(delta)} ${unit}`
  const percentText = percentageOf(...complete)
  const part =
    share === null || percentText === 'none'
      ? ''
      : ` (${percentText === 'about' ? '≈ ' : ''}${share > 0 ? '+' : ''}${formatShare(share)})`
  const [is, previous] = [formatShare(complete[0]), formatShare(complete[1])]
  return (
    <span
      className={`${page.figures} ${styles.change}`}
      title={partly ? t('energy:bothKnownWhy') : soFar ? t('energy:soFarWhy') : undefined}
    >
      {delta > 0 ? <Icon of={ArrowUpOutlined} /> : delta < 0 ? <Icon of={ArrowDownOutlined} /> : null}{' '}
      {amount}
      {part}
      {(partly || soFar) && (
        <span className={styles.note}>{t(partly ? 'energy:bothKnown' : 'energy:soFar')}</span>
      )}
      {share !== null && percentText !== 'plain' && (
        <span className={styles.note}>
          {t(percentText === 'about' ? 'energy:complete' : 'energy:tooIncomplete', { is, was: previous })}
        </span>
      )}
    </span>
  )
}

const roundsToZero = (value: number, format: (value: number) => string): boolean =>
  format(Math.abs(value)) === format(0)

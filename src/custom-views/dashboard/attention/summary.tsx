import { type Severity, SEVERITIES } from '../../../../contract/kernel/severity.ts'
import { formatClock } from '../../../lib/format-when.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { SeveritySign } from '../../../ui/tags/severity-sign.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import type { AttentionState } from '../common/attention.ts'
import styles from './attention.module.css'

/** One sentence on the overall state: items that need attention, or none; and the number of unknown devices. */
export function AttentionSummary({
  attention,
  zone,
}: {
  attention: AttentionState
  zone: string | undefined
}) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const { Verdict: verdict, Items, Known, Watched, Maintained, asOf, without } = attention
  const count = (severity: Severity) => Items.filter(({ Severity }) => Severity === severity).length
  const needs = count('critical') + count('warning')
  const unknown = Watched - Known
  const tone = asOf !== undefined ? 'old' : verdict
  const worst = count('critical') > 0 ? 'critical' : 'warning'
  const sentence =
    needs > 0
      ? t('dashboard:attention.needs', { count: needs })
      : verdict === 'clear'
        ? t('dashboard:attention.clear', { count: Watched })
        : unknown > 0
          ? t('dashboard:attention.unknown')
          : Watched === 0
            ? t(Maintained > 0 ? 'dashboard:attention.allMaintained' : 'dashboard:attention.nothingWatched')
            : t('dashboard:attention.noneKnown', { count: Watched })
  return (
    <div className={styles.verdict} data-verdict={tone} data-worst={worst} role="status">
      <span className={styles.sign} aria-hidden="true" />
      <strong className={styles.sentence}>
        {asOf !== undefined && (
          <span className={styles.asOf}>
            {t('dashboard:attention.asOf', { time: formatClock(asOf, now, language, zone) })}
          </span>
        )}
        {sentence}
      </strong>
      <ul className={styles.chips}>
        {SEVERITIES.filter((severity) => count(severity) > 0).map((severity) => (
          <li key={severity} className={styles.chip}>
            <SeveritySign severity={severity} />
            {t('dashboard:attention.counted', {
              severity: t(`dashboard:attention.severity.${severity}`),
              count: count(severity),
            })}
          </li>
        ))}
        {unknown > 0 && (
          <li className={`${styles.chip} ${styles.unknown}`}>
            {t('dashboard:attention.unknownOf', { count: unknown, total: Watched })}
          </li>
        )}
        {Maintained > 0 && (
          <li className={styles.chip}>{t('dashboard:attention.maintained', { count: Maintained })}</li>
        )}
        {without.map((feature) => (
          <li key={feature} className={styles.chip}>
            {t(`dashboard:attention.without.${feature as 'device'}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

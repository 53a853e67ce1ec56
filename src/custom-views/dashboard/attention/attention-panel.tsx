import { describeFailure } from '../../../data/failure.ts'
import { useT, useLanguage } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import { isUnacknowledgedAlarm } from '../../../../contract/attention/attention-item.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { refetchAttention, useAttention, type AttentionState } from '../common/attention.ts'
import styles from './attention.module.css'
import { AttentionRows } from './attention-rows.tsx'
import { type Severity, SEVERITIES } from '../../../../contract/kernel/severity.ts'
import { formatClock } from '../../../../contract/time/format-time.ts'
import { SeveritySign } from '../../../ui/tags/severity-sign.tsx'
import { useNow } from '../../../ui/page/use-now.ts'

/** Items that need attention, at the top of the dashboard; cannot be moved or hidden. */
export function AttentionPanel({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { attention, error } = useAttention(homes)
  return (
    <section
      className={`${page.card} ${styles.panel}`}
      aria-label={t('dashboard:attention.title')}
      data-tour="needs"
      aria-busy={!attention && !error}
    >
      {attention ? (
        <>
          <AttentionSummary attention={attention} zone={homes[0]?.TimeZone} />
          <AttentionRows attention={attention} homes={homes} />
          {attention.notes.error && (
            <p role="alert" className={`${page.padded} ${page.row}`}>
              {t('dashboard:attention.notesFailed', { reason: describeFailure(attention.notes.error) })}
              <PlainButton onClick={attention.notes.retry}>{t('dashboard:retry')}</PlainButton>
            </p>
          )}
        </>
      ) : error ? (
        <div role="alert" className={`${page.padded} ${page.row}`}>
          <p>{t('dashboard:attention.failed')}</p>
          <p className={page.small}>{describeFailure(error)}</p>
          <PlainButton onClick={refetchAttention}>{t('dashboard:retry')}</PlainButton>
        </div>
      ) : (
        <div className={`${page.row} ${styles.verdict}`}>
          <span className={page.small}>{t('dashboard:attention.checking')}</span>
        </div>
      )}
    </section>
  )
}

/** One sentence on the overall state: items that need attention, or none; and the number of unknown devices. */
function AttentionSummary({ attention, zone }: { attention: AttentionState; zone: string | undefined }) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const { Verdict: verdict, Items, Known, Watched, Maintained, asOf, without } = attention
  const count = (severity: Severity) => Items.filter(({ Severity }) => Severity === severity).length
  const urgentCount = count('critical') + count('warning')
  const alarmCount = Items.filter(isUnacknowledgedAlarm).length
  const otherCount = urgentCount - alarmCount
  const unknown = Watched - Known
  const tone = asOf !== undefined ? 'old' : verdict
  const worstSeverity = count('critical') > 0 ? 'critical' : 'warning'
  const sentence =
    urgentCount > 0
      ? [
          alarmCount > 0 && t('dashboard:attention.alarms', { count: alarmCount }),
          otherCount > 0 &&
            t(`dashboard:attention.${alarmCount > 0 ? 'others' : 'needs'}`, { count: otherCount }),
        ]
          .filter(Boolean)
          .join(t('dashboard:attention.and'))
      : verdict === 'clear'
        ? t('dashboard:attention.clear', { count: Watched })
        : unknown > 0
          ? t('dashboard:attention.unknown')
          : Watched === 0
            ? t(Maintained > 0 ? 'dashboard:attention.allMaintained' : 'dashboard:attention.nothingWatched')
            : t('dashboard:attention.noneKnown', { count: Watched })
  return (
    <div
      className={`${page.row} ${styles.verdict}`}
      data-verdict={tone}
      data-worst={worstSeverity}
      role="status"
    >
      <span className={styles.sign} aria-hidden="true" />
      <strong className={styles.sentence} title={t('dashboard:attention.scope')}>
        {asOf !== undefined && (
          <span className={page.figures}>
            {t('dashboard:attention.asOf', { time: formatClock(asOf, now, language, zone) })}
          </span>
        )}
        {sentence}
      </strong>
      <ul className={`${page.tightRow} ${page.last}`}>
        {SEVERITIES.filter((severity) => count(severity) > 0).map((severity) => (
          <li key={severity} className={page.chip}>
            <SeveritySign severity={severity} />
            {t('dashboard:attention.counted', {
              severity: t(`dashboard:attention.severity.${severity}`),
              count: count(severity),
            })}
          </li>
        ))}
        {unknown > 0 && (
          <li className={`${page.chip} ${page.muted}`}>
            {t('dashboard:attention.unknownOf', { count: unknown, total: Watched })}
          </li>
        )}
        {Maintained > 0 && (
          <li className={page.chip}>{t('dashboard:attention.maintained', { count: Maintained })}</li>
        )}
        {without.map((feature) => (
          <li key={feature} className={page.chip}>
            {t(`dashboard:attention.without.${feature as 'device'}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import type { HomeOverview } from '../common/use-overview.ts'
import type { useAttention } from '../common/use-attention.ts'
import styles from './attention.module.css'
import { AttentionRows } from './attention-rows.tsx'
import { AttentionSummary } from './summary.tsx'

/** Items that need attention, at the top of the dashboard; cannot be moved or hidden. */
export function AttentionPanel({
  morning,
  error,
  retry,
  overview,
}: ReturnType<typeof useAttention> & { overview: readonly HomeOverview[] }) {
  const t = useT()
  const first = overview[0]?.home
  return (
    <section
      className={`${page.card} ${styles.panel}`}
      aria-label={t('dashboard:attention.title')}
      data-tour="needs"
      aria-busy={!morning && !error}
    >
      {morning ? (
        <>
          <AttentionSummary morning={morning} zone={first?.TimeZone} />
          <AttentionRows morning={morning} overview={overview} />
          {morning.notes.error && (
            <p role="alert" className={styles.failed}>
              {t('dashboard:attention.notesFailed', { reason: describeFailure(morning.notes.error) })}
              <PlainButton onClick={morning.notes.retry}>{t('dashboard:retry')}</PlainButton>
            </p>
          )}
        </>
      ) : error ? (
        <div role="alert" className={styles.failed}>
          <p>{t('dashboard:attention.failed')}</p>
          <p className={page.small}>{describeFailure(error)}</p>
          <PlainButton onClick={retry}>{t('dashboard:retry')}</PlainButton>
        </div>
      ) : (
        <div className={styles.verdict}>
          <span className={page.small}>{t('dashboard:attention.checking')}</span>
        </div>
      )}
    </section>
  )
}

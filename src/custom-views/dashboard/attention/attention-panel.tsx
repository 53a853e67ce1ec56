import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { refetchAttention, useAttention } from '../common/attention.ts'
import styles from './attention.module.css'
import { AttentionRows } from './attention-rows.tsx'
import { AttentionSummary } from './summary.tsx'

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
            <p role="alert" className={styles.failed}>
              {t('dashboard:attention.notesFailed', { reason: describeFailure(attention.notes.error) })}
              <PlainButton onClick={attention.notes.retry}>{t('dashboard:retry')}</PlainButton>
            </p>
          )}
        </>
      ) : error ? (
        <div role="alert" className={styles.failed}>
          <p>{t('dashboard:attention.failed')}</p>
          <p className={page.small}>{describeFailure(error)}</p>
          <PlainButton onClick={refetchAttention}>{t('dashboard:retry')}</PlainButton>
        </div>
      ) : (
        <div className={styles.verdict}>
          <span className={page.small}>{t('dashboard:attention.checking')}</span>
        </div>
      )}
    </section>
  )
}

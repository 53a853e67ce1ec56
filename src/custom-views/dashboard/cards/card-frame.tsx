import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import frame from '../common/dashboard.module.css'
import { Bone } from '../../../ui/page/skeleton.tsx'

/** Props of a card about the energy of one home or of several together. */
export interface EnergyCardProps {
  homes: readonly [HomeWithRooms, ...HomeWithRooms[]]
  /** Replaces the default card name. */
  title?: string | undefined
  /** Shown next to the title. */
  extra?: ReactNode
}

interface Props {
  title: string
  /** Page that the title links to. */
  to?: string | undefined
  extra?: ReactNode
  busy?: boolean
  children: ReactNode
}

export function CardFrame({ title, to, extra, busy = false, children }: Props) {
  const id = useId()
  return (
    <section className={`${page.card} ${frame.frame}`} aria-labelledby={id} aria-busy={busy}>
      <header className={page.spread}>
        <h2 id={id}>{to ? <Link to={to}>{title}</Link> : title}</h2>
        {extra}
      </header>
      {children}
    </section>
  )
}

interface QueryState {
  data: unknown
  error: Error | null
  fetchStatus: 'fetching' | 'paused' | 'idle'
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

/**
 * Result of a query in a card: a skeleton while it loads, an error with a retry button, else the figures. Figures that could not be
 * refreshed stay, with a note.
 */
export function QueryCard({ query, children }: { query: QueryState; children: ReactNode }) {
  const t = useT()
  const { data, error, fetchStatus, isPlaceholderData } = query
  const retry = (
    <PlainButton small onClick={() => void query.refetch()}>
      {t('dashboard:retry')}
    </PlainButton>
  )
  if (data === undefined && error)
    return (
      <div role="alert" className={styles.message}>
        <p>{t('cards:failed')}</p>
        <p className={page.small}>{describeFailure(error)}</p>
        {retry}
      </div>
    )
  if (data === undefined)
    return fetchStatus === 'paused' ? <p className={styles.message}>{t('cards:offline')}</p> : <Bone />
  return (
    <div className={`${styles.grow} ${isPlaceholderData ? page.stale : ''}`}>
      {children}
      {error && (
        <p className={`${page.small} ${page.warning}`}>
          {t('cards:notRenewed')} {retry}
        </p>
      )}
    </div>
  )
}

export function Empty({ why: message, next }: { why: string; next?: ReactNode }) {
  return (
    <div className={styles.message}>
      <p className={page.small}>{message}</p>
      {next}
    </div>
  )
}

import type { FC, ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './states.module.css'
import { WhoCanGrant } from './who-can-grant.ts'
import { Illustration, type IllustrationName } from './drawing.tsx'
import { PlainButton } from '../plain/plain-button.tsx'
import { Skeleton } from '../plain/skeleton.tsx'
import type { Right } from '../../../contract/kernel/permissions.ts'
import { describeFailure, describeRight } from '../../data/failure.ts'

/** A list or page that could not be loaded: why, and a way to try again. */
export const LoadFailed: FC<{ error: unknown; retry: () => void }> = ({ error, retry }) => {
  const t = useT()
  return (
    <EmptyState
      drawing="failed"
      why={
        <>
          <strong>{t('screens:loadFailed')}</strong>
          <p className={styles.why}>{describeFailure(error)}</p>
        </>
      }
      next={<PlainButton onClick={retry}>{t('screens:retry')}</PlainButton>}
    />
  )
}

/** Nothing to show: why, and the next step. */
export const EmptyState: FC<{ why: ReactNode; next?: ReactNode; drawing?: IllustrationName | undefined }> = ({
  why,
  next,
  drawing = 'result',
}) => (
  <div className={styles.nothing}>
    <Illustration name={drawing} />
    <div>{why}</div>
    {next}
  </div>
)

/** In the place of what a person may not see: which right is missing, and who can grant it. */
export const ForbiddenState: FC<{ right: Right }> = ({ right }) => (
  <EmptyState drawing="right" why={describeRight(right)} next={<WhoCanGrant right={right} />} />
)

/** The shape of a list while it loads. */
export const ListSkeleton: FC<{ rows?: number }> = ({ rows = 6 }) => <Skeleton rows={rows} />

import type { FC, ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './states.module.css'
import { WhoCanGrant } from './who-can-grant.ts'
import { Illustration, type IllustrationName } from './drawing.tsx'
import { PlainButton } from '../plain/plain-button.tsx'
import { Skeleton } from './skeleton.tsx'
import type { Right } from '../../../contract/kernel/permissions.ts'
import { describeFailure, describeRight } from '../../data/failure.ts'

/** Error of a list or page that could not be loaded, with a retry button. */
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

/** Empty state: the reason, and the next step. */
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

/** Replaces content that the user may not see: the missing right, and who can grant it. */
export const ForbiddenState: FC<{ right: Right }> = ({ right }) => (
  <EmptyState drawing="right" why={describeRight(right)} next={<WhoCanGrant right={right} />} />
)

export const ListSkeleton: FC<{ rows?: number }> = ({ rows = 6 }) => <Skeleton rows={rows} />

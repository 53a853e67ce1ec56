import { Button, Empty, Skeleton } from 'antd'
import type { FC, ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './states.module.css'
import { WhoCanGrant } from './who-can-grant.ts'
import { Drawing, type DrawingName } from './drawing.tsx'
import type { Right } from '../../../contract/features.ts'
import { describeFailure, describeRight } from '../../data/failure.ts'

/** A list or page that could not be loaded: why, and a way to try again. */
export const LoadFailed: FC<{ error: unknown; retry: () => void }> = ({ error, retry }) => {
  const t = useT()
  return (
    <Nothing
      drawing="failed"
      why={
        <>
          <strong>{t('screens:loadFailed')}</strong>
          <p className={styles.why}>{describeFailure(error)}</p>
        </>
      }
      next={<Button onClick={retry}>{t('screens:retry')}</Button>}
    />
  )
}

/** Nothing to show: why, and the next step. */
export const Nothing: FC<{ why: ReactNode; next?: ReactNode; drawing?: DrawingName | undefined }> = ({
  why,
  next,
  drawing = 'result',
}) => (
  <Empty
    image={<Drawing name={drawing} />}
    styles={{ image: { height: 92 } }}
    description={why}
    style={{ paddingBlock: 24 }}
  >
    {next}
  </Empty>
)

/** In the place of what a person may not see: which right is missing, and who can grant it. */
export const NoRight: FC<{ right: Right }> = ({ right }) => (
  <Nothing drawing="right" why={describeRight(right)} next={<WhoCanGrant right={right} />} />
)

/** The shape of a list while it loads. */
export const ListSkeleton: FC<{ rows?: number }> = ({ rows = 6 }) => (
  <div aria-busy="true">
    <Skeleton active title={false} paragraph={{ rows, width: '100%' }} />
  </div>
)

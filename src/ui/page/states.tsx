import type { FC, ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './states.module.css'
import { WhoCanGrant } from './who-can-grant.ts'
import { PlainButton } from '../plain/plain-button.tsx'
import { Skeleton } from './skeleton.tsx'
import type { Right } from '../../../contract/kernel/permissions.ts'
import { describeFailure, describeRight } from '../../data/failure.ts'
import drawingStyles from './drawing.module.css'

/** Line drawings: strokes have the colour of the surrounding text, the background shape is filled. */
const LINES = {
  site: [
    'M16 72h88M28 72V28h36v44M64 44h28v28',
    'M36 38h6v6h-6zM50 38h6v6h-6zM36 52h6v6h-6zM50 52h6v6h-6zM74 52h8v6h-8z',
  ],
  hub: ['M60 30v-8M46 24a20 20 0 0 1 28 0M38 16a32 32 0 0 1 44 0M32 72h56', 'M36 40h48v24H36z'],
  meter: ['M60 56l12-14M40 56a20 20 0 0 1 40 0M44 72h32', 'M34 26h52v40H34z'],
  booking: ['M32 36h56M44 22v10M76 22v10M46 52l8 8 16-16', 'M32 28h56v44H32z'],
  visitor: ['M60 46a10 10 0 1 0 0-20 10 10 0 0 0 0 20M44 70c2-12 8-16 16-16s14 4 16 16', 'M36 18h48v56H36z'],
  result: ['M70 60l14 14M46 48h16', 'M54 66a18 18 0 1 0 0-36 18 18 0 0 0 0 36z'],
  failed: ['M60 44v12M60 64v1', 'M60 26l28 48H32z'],
  right: ['M48 42v-8a12 12 0 0 1 24 0v8M60 54v8', 'M40 42h40v30H40z'],
  clear: ['M46 50l10 10 20-22', 'M60 76a28 28 0 1 0 0-56 28 28 0 0 0 0 56z'],
} as const satisfies Record<string, readonly [strokes: string, ground: string]>

export type IllustrationName = keyof typeof LINES

/** Decorative line drawing above the text of an empty page. */
const Illustration: FC<{ name: IllustrationName }> = ({ name }) => {
  const [strokes, ground] = LINES[name]
  return (
    <svg className={drawingStyles.drawing} viewBox="0 0 120 92" width="120" height="92" aria-hidden="true">
      <path className={drawingStyles.ground} d={ground} />
      <path d={strokes} />
    </svg>
  )
}

/** Error of a list or page that could not be loaded, with a retry button. */
export const LoadFailed: FC<{ error: unknown; retry: () => void }> = ({ error, retry }) => {
  const t = useT()
  return (
    <EmptyState
      drawing="failed"
      message={
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
export const EmptyState: FC<{
  message: ReactNode
  next?: ReactNode
  drawing?: IllustrationName | undefined
}> = ({ message, next, drawing = 'result' }) => (
  <div className={styles.nothing}>
    <Illustration name={drawing} />
    <div>{message}</div>
    {next}
  </div>
)

/** Replaces content that the user may not see: the missing right, and who can grant it. */
export const ForbiddenState: FC<{ right: Right }> = ({ right }) => (
  <EmptyState drawing="right" message={describeRight(right)} next={<WhoCanGrant right={right} />} />
)

export const ListSkeleton: FC<{ rows?: number }> = ({ rows = 6 }) => <Skeleton rows={rows} />

import { Skeleton } from 'antd'
import { lazy, Suspense, type FC } from 'react'
import { loadNamespaces } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import type { FirmwareOf } from './firmware.ts'

const Card = lazy(
  async () => (await Promise.all([import('./firmware-card.tsx'), loadNamespaces(['ota'])]))[0],
)

/** Firmware section of a device's or hub's panel, for users who may read it; code and translations load on first use. */
export const FirmwareSection: FC<FirmwareOf> = (of) =>
  useMay('ota', 'Read') ? (
    <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 2 }} />}>
      <Card {...of} />
    </Suspense>
  ) : null

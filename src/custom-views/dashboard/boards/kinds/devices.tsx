import { useState } from 'react'
import { useDevices } from '../../../../data/homes.ts'
import { RowIcon } from '../../../../domain/devices/kind-name.tsx'
import { loadNamespaces, useT } from '../../../../lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from '../../../../lib/i18n/namespaces.ts'
import { lazyPart } from '../../../../ui/page/lazy.tsx'
import { StateCell } from '../../../../domain/devices/cells/live-cells.tsx'
import { QueryCard, CardFrame, Empty } from '../../cards/card-frame.tsx'
import page from '../../../../ui/page/page.module.css'
import { linesOf } from '../../common/overview.ts'
import styles from '../../common/boards.module.css'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'

const DeviceDrawer = lazyPart(
  async () =>
    (
      await Promise.all([
        import('../../../device-panel/device-drawer.tsx'),
        loadNamespaces([...SCREEN_NAMESPACES]),
      ])
    )[0],
  { isOverlay: true },
)

/** Chosen devices with state and switches, one per line; a device opens in a drawer. */
export default function DevicesCard({ card, title, homes }: CardProps<'devices'>) {
  const t = useT()
  const { HomeID, PeripheralUIDs } = card
  const query = useDevices(HomeID)
  const [opened, setOpened] = useState<string>()
  const rows = query.data ? linesOf(query.data) : []
  const foundRows = PeripheralUIDs.flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const missingCount = PeripheralUIDs.length - foundRows.length
  return (
    <CardFrame
      title={title ?? t('boards:kinds.devices.name')}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={query.isPending}
    >
      <QueryCard query={{ ...query, isPlaceholderData: false }}>
        {foundRows.length === 0 ? (
          <Empty why={t('boards:devicesGone')} />
        ) : (
          <ul className={styles.devices}>
            {foundRows.map((row) => (
              <li key={row.id}>
                <RowIcon row={row} />
                <button
                  type="button"
                  className={`${page.words} ${page.touch}`}
                  onClick={() => setOpened(row.id)}
                >
                  {row.name}
                </button>
                <StateCell row={row} />
              </li>
            ))}
          </ul>
        )}
        {foundRows.length > 0 && missingCount > 0 && (
          <p className={`${page.small} ${page.warning}`}>{t('boards:someGone', { count: missingCount })}</p>
        )}
      </QueryCard>
      {opened !== undefined && (
        <DeviceDrawer homeId={HomeID} id={opened} close={() => setOpened(undefined)} />
      )}
    </CardFrame>
  )
}

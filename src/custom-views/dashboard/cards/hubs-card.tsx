import { Link } from 'react-router'
import { pathTo } from '../../../navigation/paths.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useMay } from '../../../data/session.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { linesOf, useSnapshots } from '../common/overview.ts'
import { CardFrame, Empty } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'
import type { ReactNode } from 'react'
import { Bone } from '../../../ui/page/skeleton.tsx'

const MAX_SHOWN = 8

/** Number of connected hubs in all homes, and the offline ones with the time since when. */
export function HubsCard({
  homes,
  title,
}: {
  homes: readonly HomeWithRooms[]
  /** Replaces the default card name. */
  title?: string | undefined
}) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const mayAdd = useMay('device', 'Create')
  const snapshots = useSnapshots(homes)
  const hubs = homes.flatMap((home, i) => {
    const snapshot = snapshots[i]?.snapshot
    if (!snapshot) return []
    return linesOf(snapshot).flatMap(({ device, hub }) => (!device && hub ? [{ home, hub }] : []))
  })
  const offlineHubs = hubs.filter(({ hub }) => !hub.Online)
  const [first] = homes
  return (
    <CardFrame title={title ?? t('dashboard:cards.hubs')}>
      <Loading of={snapshots}>
        {hubs.length === 0 ? (
          <Empty
            why={t('cards:noHubs')}
            next={
              mayAdd &&
              first && (
                <ButtonLink to={pathTo('AddDevices', { HomeID: first.HomeID })}>
                  {t('dashboard:addHub')}
                </ButtonLink>
              )
            }
          />
        ) : (
          <>
            <StateTag tone={offlineHubs.length > 0 ? 'warning' : 'good'}>
              {t('cards:hubsOnline', { count: hubs.length - offlineHubs.length, total: hubs.length })}
            </StateTag>
            <ul className={`${page.links} ${page.field}`}>
              {offlineHubs.slice(0, MAX_SHOWN).map(({ home, hub }) => (
                <li key={hub.ThingName} className={page.row}>
                  <Link
                    className={page.touch}
                    to={`${pathTo('DeviceList', { HomeID: home.HomeID })}?kind=Hub&device=${encodeURIComponent(hub.ThingName)}`}
                  >
                    {hub.DeviceName}
                  </Link>
                  {homes.length > 1 && <span className={page.small}>{home.HomeName}</span>}
                  <StateTag tone="offline">
                    {hub.SeenAt === null
                      ? t('cards:neverSeen')
                      : t('cards:seen', { age: formatAge(hub.SeenAt, now, language) })}
                  </StateTag>
                </li>
              ))}
              {offlineHubs.length > MAX_SHOWN && (
                <li>{t('dashboard:moreHubs', { count: offlineHubs.length - MAX_SHOWN })}</li>
              )}
            </ul>
          </>
        )}
      </Loading>
    </CardFrame>
  )
}

/** Content for the homes that have loaded, with a note if some could not be loaded. */
function Loading({ of, children }: { of: ReturnType<typeof useSnapshots>; children: ReactNode }) {
  const t = useT()
  const knownCount = of.filter(({ snapshot }) => snapshot).length
  const isWaiting = of.some(({ snapshot, error }) => !snapshot && error === undefined)
  if (isWaiting) return <Bone />
  return (
    <div className={styles.grow}>
      {knownCount > 0 && children}
      {knownCount < of.length && (
        <p className={`${page.small} ${page.warning}`}>
          {t('dashboard:homesCounted', { counted: knownCount, homes: of.length })}
        </p>
      )}
    </div>
  )
}

import { useMemo } from 'react'
import { useParams } from 'react-router'
import { useHomes } from '../../data/homes.ts'
import { usePageItem } from '../../data/page-item.ts'
import { useFloors } from '../../domain/floor/use-floors.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { usePhone } from '../../ui/page/use-phone.ts'
import { FloorEditor } from './floor-editor.tsx'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'

/** Page for the rooms on the plan of a floor. Phones only show plans. */
export default function FloorPage() {
  const t = useT()
  const { HomeID = '', FloorID = '' } = useParams()
  const isPhone = usePhone()
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const query = useFloors(HomeID)
  const record = query.data?.find((one) => String(one.FloorID) === FloorID)
  const names = useMemo(
    () => new Map(home?.RoomList.map(({ RoomID, RoomName }) => [RoomID, RoomName])),
    [home?.RoomList],
  )
  usePageItem(record?.FloorName)
  const back = (
    <ButtonLink to={`${pathTo('Building', { HomeID })}?floor=${encodeURIComponent(FloorID)}`}>
      {t('floorEditor:back')}
    </ButtonLink>
  )
  return (
    <section className={page.stack} aria-labelledby="floor-title">
      <header className={page.header}>
        <h1 id="floor-title">
          {record ? t('floorEditor:title', { floor: record.FloorName }) : t('shell:pages.updateFloor')}
        </h1>
        <div className={page.tools}>{back}</div>
      </header>
      {query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : !query.isAsked ? (
        <EmptyState why={t('floorEditor:noRight')} />
      ) : !query.data || !home ? (
        <ListSkeleton />
      ) : !record ? (
        <EmptyState why={t('floorEditor:gone')} />
      ) : isPhone ? (
        <EmptyState why={t('floorEditor:phone')} />
      ) : (
        <FloorEditor key={FloorID} record={record} floors={query.data} names={names} />
      )}
    </section>
  )
}

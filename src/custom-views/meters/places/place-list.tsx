import { MoreOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Card } from 'antd'
import { useState } from 'react'
import { type PlaceFact, placeFacts } from '../../../../contract/homes/place-facts-calls.ts'
import { PLACE_FACTS, type PlaceFactName } from '../../../../contract/homes/place-facts.ts'
import { callQuery } from '../../../data/api.ts'
import { describeRight } from '../../../data/failure.ts'
import { useHomes } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { MenuButton } from '../../../ui/page/menu-button.tsx'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../../ui/page/states.tsx'
import styles from '../common/meters.module.css'
import { PlaceDialog } from './place-dialog.tsx'
import { PlaceDrawer } from './place-drawer.tsx'
import { usePlaceWords } from './use-place-words.ts'

interface Spot {
  RoomID: number | null
  name: string
}

export function PlaceList({ homeId, zone }: { homeId: string; zone: string }) {
  const t = useT()
  const mayChange = useMay('electricity', 'Update')
  const query = useQuery(callQuery(placeFacts.listPlaceFact, { HomeID: homeId }))
  const home = useHomes()?.find(({ HomeID }) => HomeID === homeId)
  const [editing, edit] = useState<Spot & { fact: PlaceFactName }>()
  const [looked, look] = useState<Spot>()
  const spots: Spot[] = [
    { RoomID: null, name: home?.HomeName ?? t('energy:whole') },
    ...(home?.RoomList ?? []).map(({ RoomID, RoomName }) => ({ RoomID, name: RoomName })),
  ]
  const said = (RoomID: number | null, fact?: PlaceFactName) =>
    (query.data ?? []).filter((one) => one.RoomID === RoomID && (fact === undefined || one.Fact === fact))
  return (
    <Card title={t('meters:places.title')}>
      <p className={page.hint}>{t('meters:places.why')}</p>
      {!mayChange && (
        <p className={page.hint}>{describeRight({ feature: 'electricity', operation: 'Update' })}</p>
      )}
      {query.data ? (
        <ul className={styles.list} aria-label={t('meters:places.title')}>
          {spots.map((spot) => (
            <li key={spot.RoomID ?? 'site'} className={styles.line}>
              <Summary spot={spot} facts={said(spot.RoomID)} />
              <MenuButton
                label={t('meters:moreOf', { name: spot.name })}
                icon={<MoreOutlined />}
                className={styles.menu ?? ''}
                sections={[
                  {
                    key: 'all',
                    items: [
                      ...(mayChange
                        ? PLACE_FACTS.map((fact) => ({
                            key: fact,
                            label: t(`meters:places.set.${fact}`),
                            onSelect: () => edit({ ...spot, fact }),
                          }))
                        : []),
                      { key: 'history', label: t('meters:facts.open'), onSelect: () => look(spot) },
                    ],
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={4} />
      )}
      {editing && (
        <PlaceDialog
          key={`${editing.RoomID} ${editing.fact}`}
          {...editing}
          homeId={homeId}
          zone={zone}
          history={said(editing.RoomID, editing.fact)}
          close={() => edit(undefined)}
        />
      )}
      {looked && (
        <PlaceDrawer
          homeId={homeId}
          name={looked.name}
          facts={said(looked.RoomID)}
          close={() => look(undefined)}
        />
      )}
    </Card>
  )
}

function Summary({ spot, facts }: { spot: Spot; facts: readonly PlaceFact[] }) {
  const t = useT()
  const words = usePlaceWords()
  const unsaid = (fact: PlaceFactName) =>
    t(fact === 'hours' && spot.RoomID !== null ? 'meters:places.asSite' : 'meters:places.unsaid')
  return (
    <div>
      <strong>{spot.name}</strong>
      <dl className={styles.pairs}>
        {PLACE_FACTS.map((fact) => {
          const last = facts.findLast(({ Fact }) => Fact === fact)
          return (
            <div key={fact}>
              <dt>{t(`meters:places.facts.${fact}`)}</dt>
              <dd>{last ? words(last) : unsaid(fact)}</dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

import { formatNumber } from '../../../../contract/kernel/numbers.ts'
import { MoreOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Card } from 'antd'
import { useState } from 'react'
import {
  type PlaceFact,
  placeFacts,
  type OpeningHours,
} from '../../../../contract/homes/place-facts-calls.ts'
import { PLACE_FACTS, type PlaceFactName } from '../../../../contract/homes/place-facts.ts'
import { callQuery, call } from '../../../data/api.ts'
import { describeRight } from '../../../data/failure.ts'
import { useHomes } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { useT, t as tNow } from '../../../lib/i18n/i18n.ts'
import { MenuButton } from '../../../ui/page/menu-button.tsx'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../../ui/page/states.tsx'
import styles from '../common/meters.module.css'
import { PlaceDialog } from './place-dialog.tsx'
import { useAction } from '../../../data/use-action.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import { FactHistory, UndoLine, useSinceWords } from '../facts/fact-history.tsx'
import { Drawer } from '../../../ui/page/dialog.tsx'
import { useHoursWords } from './hours-field.tsx'

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
  const [openedPlace, setOpenedPlace] = useState<Spot>()
  const places: Spot[] = [
    { RoomID: null, name: home?.HomeName ?? t('energy:whole') },
    ...(home?.RoomList ?? []).map(({ RoomID, RoomName }) => ({ RoomID, name: RoomName })),
  ]
  const factsOf = (RoomID: number | null, fact?: PlaceFactName) =>
    (query.data ?? []).filter(
      (entry) => entry.RoomID === RoomID && (fact === undefined || entry.Fact === fact),
    )
  return (
    <Card title={t('meters:places.title')}>
      <p className={page.hint}>{t('meters:places.why')}</p>
      {!mayChange && (
        <p className={page.hint}>{describeRight({ feature: 'electricity', operation: 'Update' })}</p>
      )}
      {query.data ? (
        <ul className={page.rows} aria-label={t('meters:places.title')}>
          {places.map((place) => (
            <li key={place.RoomID ?? 'site'} className={page.spread}>
              <Summary spot={place} facts={factsOf(place.RoomID)} />
              <MenuButton
                label={t('meters:moreOf', { name: place.name })}
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
                            onSelect: () => edit({ ...place, fact }),
                          }))
                        : []),
                      {
                        key: 'history',
                        label: t('meters:facts.open'),
                        onSelect: () => setOpenedPlace(place),
                      },
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
          history={factsOf(editing.RoomID, editing.fact)}
          close={() => edit(undefined)}
        />
      )}
      {openedPlace && (
        <PlaceDrawer
          homeId={homeId}
          name={openedPlace.name}
          facts={factsOf(openedPlace.RoomID)}
          close={() => setOpenedPlace(undefined)}
        />
      )}
    </Card>
  )
}

function Summary({ spot: place, facts }: { spot: Spot; facts: readonly PlaceFact[] }) {
  const t = useT()
  const words = usePlaceWords()
  const isUnset = (fact: PlaceFactName) =>
    t(fact === 'hours' && place.RoomID !== null ? 'meters:places.asSite' : 'meters:places.unsaid')
  return (
    <div>
      <strong>{place.name}</strong>
      <dl className={page.facts}>
        {PLACE_FACTS.map((fact) => {
          const last = facts.findLast(({ Fact }) => Fact === fact)
          return (
            <div key={fact}>
              <dt>{t(`meters:places.facts.${fact}`)}</dt>
              <dd>{last ? words(last) : isUnset(fact)}</dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

interface Props {
  homeId: string
  name: string
  facts: readonly PlaceFact[]
  close: () => void
}

/** History of a site's or room's facts, with first day and author; each can be deleted and restored. */
function PlaceDrawer({ homeId, name, facts, close }: Props) {
  const t = useT()
  const mayRemove = useMay('electricity', 'Delete')
  const words = usePlaceWords()
  const since = useSinceWords()
  const [removed, setRemoved] = useState<PlaceFact>()
  const { busy, run } = useAction(placeFacts.setPlaceFact)
  const sentence = (fact: PlaceFact) => t('meters:facts.said', { what: words(fact), since: since(fact.From) })
  const remove = (fact: PlaceFact) =>
    confirmRemoval({
      name: sentence(fact),
      consequence: t('meters:facts.removeText'),
      remove: async () => {
        const { RoomID, Fact, From } = fact
        await call(placeFacts.deletePlaceFact, { HomeID: homeId, RoomID, Fact, From })
        setRemoved(fact)
      },
    })
  const putBack = async ({ RoomID, Fact, From, Value }: PlaceFact) => {
    if (await run({ HomeID: homeId, RoomID, Fact, From, Value }, () => tNow('meters:facts.undone')))
      setRemoved(undefined)
  }
  return (
    <Drawer open onClose={close} title={t('meters:facts.title', { name })}>
      <div className={page.stack}>
        {removed && <UndoLine what={sentence(removed)} busy={busy} undo={() => void putBack(removed)} />}
        {PLACE_FACTS.map((fact) => {
          const of = facts.filter(({ Fact }) => Fact === fact)
          return (
            <FactHistory
              key={fact}
              title={t(`meters:places.facts.${fact}`)}
              emptyText={t('meters:places.unsaid')}
              rows={of.map((entry) => ({
                ...entry,
                text: words(entry),
                // Restoring an entry without a first day would replace all later ones, so it can be deleted only if it is alone.
                ...(mayRemove && (entry.From !== null || of.length === 1) && { remove: () => remove(entry) }),
              }))}
            />
          )
        })}
      </div>
    </Drawer>
  )
}

function usePlaceWords(): (fact: Pick<PlaceFact, 'RoomID' | 'Fact' | 'Value'>) => string {
  const t = useT()
  const hours = useHoursWords()
  return ({ RoomID, Fact, Value }) => {
    if (Fact === 'area') return `${formatNumber(Value as number)} m²`
    if (Value === null && RoomID !== null) return t('meters:places.asSite')
    return hours(Value as OpeningHours | null)
  }
}

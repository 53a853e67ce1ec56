import type { SavedView } from '../../../../contract/people/personal-calls.ts'
import { readListQuery } from '../../../../contract/lists/list-query.ts'
import { useCurrentHome, useDevices, useHomes } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { usePowerWords } from '../power-words.ts'

/** What a view shows, e.g. 「燈」 · 電燈開關 · 總部 · 走廊 · 依房間. */
export function useViewWords(): (view: SavedView) => string {
  const t = useT()
  const homes = useHomes()
  const inWatts = usePowerWords()
  const devices = useDevices(useCurrentHome()?.HomeID)
  return ({ Query, HomeID }) => {
    const { search, state, kind, RoomID, hub, watts, sort, descending } = readListQuery(Query)
    const home = homes?.find((one) => one.HomeID === HomeID)
    const column = t(`devices:columns.${sort}`)
    const hubs = devices.data?.Things
    return [
      search && t('lists:views.search', { search }),
      state && t(`devices:listStates.${state}`),
      kind && t(`devices:categories.${kind}`),
      home?.HomeName,
      home?.RoomList.find((room) => room.RoomID === RoomID)?.RoomName,
      hub && (hubs?.find(({ ThingName }) => ThingName === hub)?.DeviceName ?? hub),
      watts && inWatts(watts),
      descending
        ? t('lists:views.descending', { column })
        : sort !== 'name' && t('lists:views.by', { column }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

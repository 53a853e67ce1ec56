import type { ComponentType, ReactNode } from 'react'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { PlainSelect } from '../../../ui/plain/plain-choice.tsx'
import { useSearchParams } from 'react-router'
import { useCurrentHome } from '../../../data/homes.ts'

export interface SiteProps {
  home: HomeWithRooms
  /** Selection among several homes; null if there is only one. */
  choice: ReactNode
  /** Replaces the default card name. */
  title?: string | undefined
}

/** Wraps a card of one home with a selection of the home, which all such cards share. */
export function siteCard(Card: ComponentType<SiteProps>): ComponentType<{ homes: readonly HomeWithRooms[] }> {
  return function SiteCard({ homes }) {
    const t = useT()
    const { home, choose } = useSite(homes)
    if (!home) return null
    const choice = homes.length > 1 && (
      <PlainSelect
        label={t('cards:site')}
        value={home.HomeID}
        onChange={choose}
        options={homes.map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName }))}
      />
    )
    return <Card key={home.HomeID} home={home} choice={choice || null} />
  }
}

/** The home of all single-home cards: the one in the address (`?home=`), else the current one. */
function useSite(homes: readonly HomeWithRooms[]): {
  home: HomeWithRooms | undefined
  choose: (HomeID: string) => void
} {
  const [params, setParams] = useSearchParams()
  const current = useCurrentHome()
  const requestedHome = params.get('home')
  return {
    home: homes.find(({ HomeID }) => HomeID === requestedHome) ?? current ?? homes[0],
    choose: (HomeID) =>
      setParams(
        (old) => {
          const all = new URLSearchParams(old)
          all.set('home', HomeID)
          return all
        },
        { replace: true },
      ),
  }
}

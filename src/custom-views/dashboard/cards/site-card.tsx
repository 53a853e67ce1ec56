import type { ComponentType, ReactNode } from 'react'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { PlainSelect } from '../../../ui/plain/plain-choice.tsx'
import { useSite } from './use-site.ts'

export interface SiteProps {
  home: HomeWithRooms
  /** The choice among several homes; null where there is one only. */
  choice: ReactNode
  /** Instead of the usual name of the card. */
  title?: string | undefined
}

/** A card that speaks of one home, with the choice of which; all such cards speak of the same. */
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

import type { ComponentType, ReactNode } from 'react'
import type { EnergyCardProps } from '../../cards/card-frame.tsx'
import type { CardProps } from './card-props.ts'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import page from '../../../../ui/page/page.module.css'

/** Turns a default card into a dashboard card with a fixed home. */
export function ofSite<K extends 'day' | 'ranking' | 'categories'>(
  Card: ComponentType<EnergyCardProps>,
): (props: CardProps<K>) => ReactNode {
  return function OfSite({ card: { HomeID }, title, homes }) {
    const home = homes.find((candidate) => candidate.HomeID === HomeID)
    return home && <Card homes={[home]} title={title} extra={<SiteName homes={homes} HomeID={HomeID} />} />
  }
}

/** Site name next to a card title; nothing if the company has one site. */
export function SiteName({ homes, HomeID }: { homes: readonly HomeWithRooms[]; HomeID: string | null }) {
  const home = homes.length > 1 ? homes.find((candidate) => candidate.HomeID === HomeID) : undefined
  return home && <span className={page.small}>{home.HomeName}</span>
}

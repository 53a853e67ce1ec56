import type { ComponentType, ReactNode } from 'react'
import type { SiteProps } from '../../cards/site-card.tsx'
import type { CardProps } from './card-props.ts'
import { SiteName } from './site-name.tsx'

/** Turns a default card into a dashboard card with a fixed home. */
export function ofSite<K extends 'day' | 'ranking' | 'categories'>(
  Card: ComponentType<SiteProps>,
): (props: CardProps<K>) => ReactNode {
  return function OfSite({ card: { HomeID }, title, homes }) {
    const home = homes.find((one) => one.HomeID === HomeID)
    return home && <Card home={home} title={title} choice={<SiteName homes={homes} HomeID={HomeID} />} />
  }
}

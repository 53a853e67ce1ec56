import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import page from '../../../../ui/page/page.module.css'

/** Site name next to a card title; nothing if the company has one site. */
export function SiteName({ homes, HomeID }: { homes: readonly HomeWithRooms[]; HomeID: string | null }) {
  const home = homes.length > 1 ? homes.find((one) => one.HomeID === HomeID) : undefined
  return home && <span className={page.small}>{home.HomeName}</span>
}

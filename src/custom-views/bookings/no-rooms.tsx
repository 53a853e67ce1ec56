import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'

/** Message that there is no room to book, with a link to adding one. */
export function NoRooms() {
  const t = useT()
  return (
    <EmptyState
      drawing="booking"
      message={t('bookings:noRooms')}
      next={
        <ButtonLink main to={pathTo('ConferenceRoomListing')}>
          {t('bookings:toRooms')}
        </ButtonLink>
      }
    />
  )
}

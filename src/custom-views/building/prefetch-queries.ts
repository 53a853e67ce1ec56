import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { queryClient } from '../../data/api.ts'
import { mayNow } from '../../data/session.ts'
import { floorsQuery } from '../../domain/floor/use-floors.ts'

/** Fetches the floors of the home, if the user may read its rooms. */
export async function prefetchQueries(home: HomeWithRooms | undefined): Promise<void> {
  if (home && mayNow('room', 'Read')) await queryClient.prefetchQuery(floorsQuery(home.HomeID))
}

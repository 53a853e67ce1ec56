import { useSearchParams } from 'react-router'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { useCurrentHome } from '../../../data/homes.ts'

/** The home that the cards of one home speak of: the one in the address (`?home=`), else the current one. */
export function useSite(homes: readonly HomeWithRooms[]): {
  home: HomeWithRooms | undefined
  choose: (HomeID: string) => void
} {
  const [params, setParams] = useSearchParams()
  const current = useCurrentHome()
  const asked = params.get('home')
  return {
    home: homes.find(({ HomeID }) => HomeID === asked) ?? current ?? homes[0],
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

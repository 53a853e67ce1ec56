import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { hasTour, markTourOffered } from '../../data/tour-offer.ts'
import { loadNamespaces } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'

const DemoTour = lazyPart(
  async () => (await Promise.all([import('./tour.tsx'), loadNamespaces(['tour'])]))[0],
  { isOverlay: true },
)

/** Shows the tour of the demo over any page while it is open; `?tour=1` opens it. */
export default function TourHost() {
  const isOpen = useStore(hasTour)
  const [params, setParams] = useSearchParams()
  const isAsked = params.get('tour') === '1'
  useEffect(() => {
    if (!isAsked) return
    hasTour.set(true)
    setParams(
      (all) => {
        all.delete('tour')
        return all
      },
      { replace: true },
    )
  }, [isAsked, setParams])
  return isOpen && <DemoTour close={markTourOffered} />
}

import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useIsDemo } from '../../data/gateway-features.ts'
import { loadNamespaces, useT } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import notice from '../update-notice.module.css'
import { hasTour, markTourOffered, wasTourOffered } from './offer.ts'

const DemoTour = lazyPart(
  async () => (await Promise.all([import('./tour.tsx'), loadNamespaces(['tour'])]))[0],
  { isOverlay: true },
)

/** Offers the tour of the demo once, and opens it if the address requests it (`?tour=1`). */
export default function TourOffer() {
  const t = useT()
  const isDemo = useIsDemo()
  const open = useStore(hasTour)
  const [params, setParams] = useSearchParams()
  const [isOffered, setIsOffered] = useState(wasTourOffered)
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
  const note = () => {
    markTourOffered()
    setIsOffered(true)
  }
  if (open) return <DemoTour close={note} />
  if (!isDemo || isOffered) return null
  return (
    <div role="status" className={notice.place}>
      <div className={notice.notice}>
        <span>{t('shell:tour.offer')}</span>
        <PlainButton
          small
          main
          onClick={() => {
            note()
            hasTour.set(true)
          }}
        >
          {t('shell:tour.begin')}
        </PlainButton>
        <PlainButton small onClick={note}>
          {t('shell:tour.skip')}
        </PlainButton>
      </div>
    </div>
  )
}

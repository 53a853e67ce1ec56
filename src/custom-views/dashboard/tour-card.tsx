import { useEffect, useState } from 'react'
import { hasTour, markTourOffered, wasTourOffered } from '../../data/tour-offer.ts'
import { useIsDemo } from '../../data/gateway-features.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import page from '../../ui/page/page.module.css'
import { PlainButton } from '../../ui/plain/plain-button.tsx'

/** Offers the tour of the demo until the user answers or opens another page. */
export default function TourCard() {
  const isDemo = useIsDemo()
  const isOpen = useStore(hasTour)
  const [isOffered, setOffered] = useState(wasTourOffered)
  const close = () => {
    markTourOffered()
    setOffered(true)
  }
  return isDemo && !isOffered && !isOpen ? <Offer close={close} /> : null
}

function Offer({ close }: { close: () => void }) {
  const t = useT()
  // The user has opened another page.
  useEffect(() => markTourOffered, [])
  return (
    <section className={`${page.card} ${page.row} ${page.padded}`} aria-label={t('shell:tour.offer')}>
      <span>{t('shell:tour.offer')}</span>
      <PlainButton
        main
        onClick={() => {
          close()
          hasTour.set(true)
        }}
      >
        {t('shell:tour.begin')}
      </PlainButton>
      <PlainButton onClick={close}>{t('shell:tour.skip')}</PlainButton>
    </section>
  )
}

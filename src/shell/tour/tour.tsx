import { Tour } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { hasTour } from './offer.ts'
import { placeOf, TOUR_STEPS } from './steps.ts'

/** What a page needs at most until it is drawn, in ms; a step whose place is not there stands in the middle. */
const PATIENCE_MS = 4_000

/** The first thing on the page that matches and can be seen, as soon as there is one. */
function useTarget(selector: string | undefined): HTMLElement | null {
  const [found, setFound] = useState<{ selector: string; target: HTMLElement }>()
  useEffect(() => {
    if (selector === undefined) return
    const look = () => {
      const target = document.querySelector<HTMLElement>(selector)
      if (!target) return false
      setFound({ selector, target })
      return true
    }
    const observer = new MutationObserver(() => look() && observer.disconnect())
    const frame = requestAnimationFrame(look)
    const timer = setTimeout(() => observer.disconnect(), PATIENCE_MS)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [selector])
  return found?.selector === selector ? (found?.target ?? null) : null
}

/** Six steps through the demo's story, each on its page; it can be left at any time. */
export default function DemoTour({ close }: { close: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const [at, setAt] = useState(0)
  const step = TOUR_STEPS[at] ?? TOUR_STEPS[0]
  const place = homes && placeOf(step, homes)
  const to = place?.to
  const target = useTarget(place && `${place.target}`)
  useEffect(() => {
    if (to !== undefined) void navigate(to)
  }, [to, navigate])
  const end = () => {
    hasTour.set(false)
    close()
  }
  return (
    <Tour
      open
      current={at}
      onChange={setAt}
      onClose={end}
      onFinish={end}
      steps={TOUR_STEPS.map((key, i) => ({
        title: t(`tour:steps.${key}.title`),
        description: t(`tour:steps.${key}.text`),
        target: i === at ? target : null,
        nextButtonProps: { children: t(i === TOUR_STEPS.length - 1 ? 'tour:end' : 'tour:next') },
        prevButtonProps: { children: t('tour:back') },
      }))}
      closeIcon={<span>{t('tour:skip')}</span>}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { StartPage } from '../../../contract/people/personal-calls.ts'
import { useCurrentHome } from '../../data/homes.ts'
import { personalQuery, savePersonalConfig } from '../../data/personal.ts'
import { useSubject } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { startPageKey, startPath, suitablePage } from '../../shell/start-page.ts'
import page from '../../ui/page/page.module.css'
import { usePhone } from '../../ui/page/use-screen.ts'
import { PlainButton } from '../../ui/plain/plain-button.tsx'

/** Proposes, until the user answers, to begin with the page that suits their tasks. */
export default function StartPageCard() {
  const t = useT()
  const navigate = useNavigate()
  const subject = useSubject()
  const home = useCurrentHome()
  const isPhone = usePhone()
  const { data } = useQuery(personalQuery)
  const { busy, run } = useAction(savePersonalConfig)
  const proposed = subject && suitablePage(subject, isPhone)
  const path = proposed && startPath(proposed, subject, home?.HomeID)
  if (!data || data.StartPage !== null || !path) return null
  const choose = (StartPage: StartPage) => run({ StartPage }, () => t('personal:updated'))
  const text = t('dashboard:startPage.offer', { page: t(startPageKey(proposed)) })
  return (
    <section className={`${page.card} ${page.row} ${page.padded}`} aria-label={text}>
      <span>{text}</span>
      <PlainButton
        main
        disabled={busy}
        onClick={() => void choose(proposed).then((config) => config && navigate(path))}
      >
        {t('dashboard:startPage.set')}
      </PlainButton>
      <PlainButton disabled={busy} onClick={() => void choose('Dashboard')}>
        {t('dashboard:startPage.keep')}
      </PlainButton>
    </section>
  )
}

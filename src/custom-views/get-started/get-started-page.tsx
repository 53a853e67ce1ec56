import { Checklist } from '../../domain/setup/checklist.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

/** Getting-started checklist, the same as on an unfinished dashboard. */
export default function GetStartedPage() {
  const t = useT()
  return (
    <section className={`${page.stack} ${page.upTo880}`}>
      <h1>{t('shell:pages.GetStarted')}</h1>
      <Checklist />
    </section>
  )
}

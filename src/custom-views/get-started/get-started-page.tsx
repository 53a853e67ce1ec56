import { Checklist } from '../../domain/setup/checklist.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { Page } from '../../ui/page/page.tsx'

/** Getting-started checklist, the same as on an unfinished dashboard. */
export default function GetStartedPage() {
  const t = useT()
  return (
    <Page title={t('shell:pages.GetStarted')} width="form">
      <Checklist />
    </Page>
  )
}

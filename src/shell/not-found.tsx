import { Link } from 'react-router'
import { useNotFound } from '../data/page-item.ts'
import { useT, type TKey } from '../lib/i18n/i18n.ts'
import { MessagePage } from '../ui/page/message-page.tsx'

/** "Page not found" with a link to the home page (§2). */
export function NotFound({ text = 'shell:notFound.text' }: { text?: TKey }) {
  const t = useT()
  useNotFound()
  return (
    <MessagePage
      title={t('shell:notFound.title')}
      text={t(text)}
      actions={
        <Link className="text-link" to="/">
          {t('shell:backHome')}
        </Link>
      }
    />
  )
}

import { Result } from 'antd'
import { Link } from 'react-router'
import { useT, type TKey } from '../providers/i18n.ts'

/** §2: "Page not found", link back to home. */
export function NotFound({ text = 'shell:notFound.text' }: { text?: TKey }) {
  const t = useT()
  return (
    <Result
      status="404"
      title={t('shell:notFound.title')}
      subTitle={t(text)}
      extra={<Link to="/">{t('shell:backHome')}</Link>}
    />
  )
}

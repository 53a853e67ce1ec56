import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { loadNamespaces, useT } from '../providers/i18n.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MessagePage } from '../ui/message-page.tsx'

/** Who can help, fetched only where somebody is refused. */
const Grantors = lazyPart(async () => {
  const [part] = await Promise.all([import('./grantors.tsx'), loadNamespaces(['people'])])
  return part
})

/** §2: title, description, button back to home. */
export default function PermissionDenied({ detail }: { detail?: string | undefined }) {
  const t = useT()
  const navigate = useNavigate()
  return (
    <MessagePage
      title={t('shell:denied.title')}
      text={
        <>
          {t('shell:denied.text')}
          {detail && <br />}
          {detail}
          <br />
          <Grantors />
        </>
      }
      actions={
        <Button type="primary" onClick={() => navigate('/')}>
          {t('shell:backHome')}
        </Button>
      }
    />
  )
}

import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { useT } from '../providers/i18n.ts'
import { MessagePage } from '../ui/message-page.tsx'

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

import { Button, Result } from 'antd'
import { useNavigate } from 'react-router'
import { useT } from '../providers/i18n.ts'

/** §2: title, description, button back to home. */
export function PermissionDenied({ detail }: { detail?: string }) {
  const t = useT()
  const navigate = useNavigate()
  return (
    <Result
      status="403"
      title={t('shell:denied.title')}
      subTitle={detail ?? t('shell:denied.text')}
      extra={
        <Button type="primary" onClick={() => navigate('/')}>
          {t('shell:backHome')}
        </Button>
      }
    />
  )
}

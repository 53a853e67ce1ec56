import { useNavigate } from 'react-router'
import type { Right } from '../../contract/kernel/permissions.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { MessagePage } from '../ui/page/message-page.tsx'
import { PlainButton } from '../ui/plain/plain-button.tsx'
import { WhoCanGrant } from '../ui/page/who-can-grant.ts'

/**
 * Page of §2 with title, description, and a button to the home page unless there is none. Names the missing right, and who can grant it.
 */
export default function PermissionDenied({
  missing,
  back = true,
}: {
  missing?: Right | undefined
  back?: boolean
}) {
  const t = useT()
  const navigate = useNavigate()
  return (
    <MessagePage
      title={t('shell:denied.title')}
      text={
        <>
          {t('shell:denied.text')}
          {missing && (
            <>
              <br />
              {t('shell:denied.missing', {
                feature: t(`shell:features.${missing.feature}`),
                operation: t(`shell:operations.${missing.operation}`),
              })}
            </>
          )}
          <br />
          <WhoCanGrant right={missing} />
        </>
      }
      actions={
        back && (
          <PlainButton main onClick={() => void navigate('/')}>
            {t('shell:backHome')}
          </PlainButton>
        )
      }
    />
  )
}

import { Button } from 'antd'
import { signOut } from '../live/sign-out.ts'
import { useT } from '../lib/i18n/i18n.ts'
import type { ForcedSignOut } from '../live/session.ts'
import { Modal } from '../ui/page/dialog.tsx'

/** Dialog after a change of permissions or deletion of the user; it only leads to the sign-in (§4). */
export function ForcedSignOutDialog({ why: reason }: { why: ForcedSignOut }) {
  const t = useT()
  return (
    <Modal
      open
      closable={false}
      maskClosable={false}
      keyboard={false}
      title={t(`shell:forced.${reason}`)}
      footer={
        <Button type="primary" onClick={() => void signOut(reason)}>
          {t('shell:forced.signIn')}
        </Button>
      }
    />
  )
}

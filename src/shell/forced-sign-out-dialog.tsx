import { Modal } from 'antd'
import { useStore } from '../lib/store.ts'
import { signOut } from '../providers/auth/sign-out.ts'
import { useT } from '../providers/i18n.ts'
import { forcedSignOut } from '../providers/live/live.ts'

/** Changed permissions or a deleted person: one way on, the sign-in (§4). */
export function ForcedSignOutDialog() {
  const t = useT()
  const why = useStore(forcedSignOut)
  return (
    <Modal
      open={why !== undefined}
      closable={false}
      maskClosable={false}
      keyboard={false}
      title={why && t(`shell:forced.${why}`)}
      okText={t('shell:forced.signIn')}
      cancelButtonProps={{ hidden: true }}
      onOk={() => why && signOut(why)}
    />
  )
}
